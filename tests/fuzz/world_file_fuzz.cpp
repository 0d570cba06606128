// Any bytes as a world.tw: refused, or read into a world that writes and reads back the same, opens
// as a session and takes a stroke of the brush. Checksums and hashes are made right: half of the
// mutations change the bytes of a value and write the file anew, as a liar would; of the others the
// trailer is mended, so that what lies before it is met.

#include "terraway/core/hash.hpp"
#include "terraway/pipeline/session.hpp"
#include "terraway/recipe/recipe.hpp"
#include "terraway/recipe/world_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

namespace {

using namespace tw;
using pipeline::BakedWorld;

void must(bool holds) {
    if (!holds) std::abort();
}

void mend(world::Bytes& bytes) {
    constexpr std::size_t kHeader = 8, kTrailer = 24;
    if (bytes.size() < kHeader + kTrailer) return;
    const std::size_t trailer = bytes.size() - kTrailer;
    std::uint64_t directory = 0;
    std::memcpy(&directory, bytes.data() + trailer, sizeof directory);
    directory = std::min<std::uint64_t>(directory, trailer - kHeader);
    const std::uint64_t checksum = hash_bytes(std::span(bytes).subspan(
        trailer - static_cast<std::size_t>(directory), static_cast<std::size_t>(directory)));
    const std::uint64_t size = bytes.size();
    std::memcpy(bytes.data() + trailer, &directory, sizeof directory);
    std::memcpy(bytes.data() + trailer + 8, &checksum, sizeof checksum);
    std::memcpy(bytes.data() + trailer + 16, &size, sizeof size);
}

world::Bytes mended(const std::uint8_t* data, std::size_t size) {
    const auto* first = reinterpret_cast<const std::byte*>(data);
    world::Bytes bytes(first, first + size);
    mend(bytes);
    return bytes;
}

/// NaNs are refused before anything is hashed.
template <class T>
bool has_nan(const T& value) {
    if constexpr (std::is_floating_point_v<T>) {
        return std::isnan(value);
    } else if constexpr (world::detail::IsIdArray<T>::value) {
        return has_nan(value.values());
    } else if constexpr (core::detail::IsVector<T>::value) {
        if constexpr (PlainBytes<typename T::value_type>) return false;
        return std::ranges::any_of(value, [](const auto& each) { return has_nan(each); });
    } else if constexpr (core::detail::IsVariant<T>::value) {
        return std::visit([](const auto& held) { return has_nan(held); }, value);
    } else if constexpr (HasFields<T>) {
        bool found = false;
        for_each_field(value,
                       [&](std::string_view, const auto& field) { found |= has_nan(field); });
        return found;
    } else {
        return false;
    }
}

template <class T>
void lie(std::shared_ptr<const T>& value, std::string_view stage, BakedWorld& world) {
    if (!value) return;
    world::Bytes bytes = world::to_bytes(*value);
    auto* const data = reinterpret_cast<std::uint8_t*>(bytes.data());
    bytes.resize(LLVMFuzzerMutate(data, bytes.size(), bytes.size()));
    auto changed = world::from_bytes<T>(bytes);
    if (!changed || has_nan(*changed)) return;
    for (pipeline::StageReport& report : world.stages) {
        if (report.name == stage) report.hash = hash_of(*changed);
    }
    value = std::make_shared<const T>(std::move(changed).value());
}

void lie_about(BakedWorld& w, unsigned choice) {
    switch (choice % 20) {
        case 0:
            return lie(w.placement, "placement", w);
        case 1:
            return lie(w.map, "cells", w);
        case 2:
            return lie(w.relief, "relief", w);
        case 3:
            return lie(w.climate, "climate", w);
        case 4:
            return lie(w.edited_relief, "edits", w);
        case 5:
            return lie(w.drainage, "drainage", w);
        case 6:
            return lie(w.rivers, "rivers", w);
        case 7:
            return lie(w.moisture, "moisture", w);
        case 8:
            return lie(w.biomes, "biomes", w);
        case 9:
            return lie(w.attributes, "attributes", w);
        case 10:
            return lie(w.edited_lines, "road_edits", w);
        case 11:
            return lie(w.network, "network", w);
        case 12:
            return lie(w.streets, "streets", w);
        case 13:
            return lie(w.street_heights, "street_heights", w);
        case 14:
            return lie(w.obstacles, "obstacles", w);
        case 15:
            return lie(w.meshes, "meshes", w);
        case 16:
            return lie(w.raster, "raster", w);
        case 17:
            return lie(w.cost, "cost", w);
        case 18:
            return lie(w.integration, "integration", w);
        default:
            return lie(w.directions, "directions", w);
    }
}

StageContext context_on(SerialExecutor& serial) {
    StageContext context(serial);
    context.memory_limit = std::uint64_t{64} << 20;
    return context;
}

/// What loads can be edited. Where a stage refuses, the step is taken back.
void use(recipe::WorldFile file) {
    const auto recipe = recipe::parse_recipe(file.recipe, "fuzz");
    if (!recipe) return;
    const GridBox box = file.world.placement ? file.world.placement->bounds : GridBox{};
    auto session = pipeline::Session::create(recipe->world, std::move(file.world));
    if (!session) return;
    const GridPoint middle{box.lo.x / 2 + box.hi.x / 2, box.lo.y / 2 + box.hi.y / 2};
    const std::uint64_t tick =
        (*session)->edits().edit.empty() ? 0 : (*session)->edits().edit.back().tick;
    const world::RaiseGround raise{
        .path = {middle}, .brush = {.radius = 200 * kStepsPerMetre}, .amount = 9 * kStepsPerMetre};
    const bool done = (*session)->apply(world::Edit{tick, raise}).ok();
    (*session)->hash();
    if (done) must((*session)->undo().ok());
}

}  // namespace

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
    SerialExecutor serial;
    StageContext context = context_on(serial);
    if (seed % 2 == 0) return LLVMFuzzerMutate(data, size, max_size);
    auto file = recipe::read_world_file(mended(data, size), context);
    if (!file) return LLVMFuzzerMutate(data, size, max_size);
    lie_about(file->world, seed / 2);
    const auto written = recipe::write_world_file(*file, context);
    if (!written || written->size() > max_size) return LLVMFuzzerMutate(data, size, max_size);
    std::memcpy(data, written->data(), written->size());
    return written->size();
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    SerialExecutor serial;
    StageContext context = context_on(serial);
    auto file = recipe::read_world_file(mended(data, size), context);
    if (!file) {
        must(!file.error().message.empty());
        return 0;
    }
    const auto written = recipe::write_world_file(*file, context);
    must(written.ok());
    const auto again = recipe::read_world_file(*written, context);
    must(again.ok() && again->world.hash == file->world.hash && again->recipe == file->recipe);
    must(*recipe::write_world_file(*again, context) == *written);
    use(std::move(file).value());
    return 0;
}
