#include "terraway/io/files.hpp"
#include "terraway/recipe/blob.hpp"

#include "commands.hpp"
#include "console.hpp"
#include "interrupt.hpp"
#include "world_input.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace tw::cli {
namespace {

struct ImportOptions {
    std::string input, output, encoding = "automatic";
    std::vector<double> range;  ///< [m] of black and white
    OutputOptions console;
};

pipeline::HeightFileOptions height_options(const ImportOptions& options) {
    pipeline::HeightFileOptions reading;
    if (options.encoding == "grey") reading.encoding = pipeline::HeightEncoding::grey;
    if (options.encoding == "terrain_rgb") reading.encoding = pipeline::HeightEncoding::terrain_rgb;
    if (options.range.size() == 2) {
        reading.range_low = options.range[0];
        reading.range_high = options.range[1];
    }
    return reading;
}

struct Imported {
    world::Bytes blob;
    std::string what;
};

Result<Imported> import_file(const ImportOptions& options) {
    const EndAtOnce nothing_to_tidy;
    TW_ASSIGN(const FileKind kind, kind_of_file(options.input));
    if (kind == FileKind::heights || kind == FileKind::heights_blob) {
        TW_ASSIGN(const world::ImportedHeights heights,
                  read_heights(options.input, height_options(options)));
        return Imported{recipe::to_blob(heights), "heights, " + std::to_string(heights.columns) +
                                                      " × " + std::to_string(heights.rows)};
    }
    if (kind == FileKind::recipe) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "import",
                     .subject = options.input,
                     .message =
                         "is no data that can be imported; give OSM, GeoJSON, an ESRI ASCII "
                         "grid or a PNG of heights"};
    }
    TW_ASSIGN(const world::ImportedLines lines, read_lines(options.input));
    return Imported{recipe::to_blob(lines), "centre lines, " + grouped(lines.label.size())};
}

Result<ExitCode> run_import(const ImportOptions& options) {
    TW_ASSIGN(const Imported imported, import_file(options));
    TW_TRY(io::write_file(options.output, imported.blob));
    if (!options.console.quiet) {
        std::printf("%s: %s, %s bytes\n", options.output.c_str(), imported.what.c_str(),
                    grouped(imported.blob.size()).c_str());
    }
    return ExitCode::done;
}

}  // namespace

void add_import(CLI::App& app, Action& action) {
    auto options = std::make_shared<ImportOptions>();
    CLI::App* command = app.add_subcommand(
        "import", "Write the canonical form of a data file, read alike everywhere");
    command->add_option("FILE", options->input, "OSM, GeoJSON, ESRI ASCII grid or PNG of heights")
        ->required();
    command->add_option("-o,--output", options->output, "Where the blob goes")
        ->required()
        ->type_name("BLOB");
    command->add_option("--encoding", options->encoding, "How a picture holds its heights")
        ->check(CLI::IsMember({"automatic", "grey", "terrain_rgb"}))
        ->capture_default_str();
    command->add_option("--range", options->range, "Heights of black and white in a grey picture")
        ->expected(2)
        ->type_name("LOW HIGH");
    command->add_flag("-q,--quiet", options->console.quiet, "Print errors only");
    command->footer("Example:\n  terraway import monaco.osm.gz -o monaco.twbl");
    command->callback([options, &action] { action = [options] { return run_import(*options); }; });
}

}  // namespace tw::cli
