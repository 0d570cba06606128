#include "unpack.hpp"

#include <algorithm>
#include <limits>
#include <new>
#include <string>

#include <bzlib.h>
#include <zlib.h>

namespace tw::io {
namespace {

constexpr std::size_t kBlock = std::size_t{1} << 20;

enum class Step { going, stream_end, cut_short, damaged };

/// Both libraries work on windows of at most 2³² bytes; `Codec` hides their names.
template <class Codec>
Result<Bytes> unpack(std::span<const std::byte> bytes, const std::string& name,
                     std::uint64_t limit) {
    const auto broken = [&](std::size_t at, const char* what) {
        return Error{.code = ErrorCode::invalid_input,
                     .stage = "unpack",
                     .subject = name + ":byte " + std::to_string(at),
                     .message = std::string("the ") + Codec::kName + " data is " + what +
                                "; fetch or copy the file again"};
    };
    Codec codec;
    Bytes out;
    std::size_t at = 0;
    for (;;) {
        if (out.size() > limit) {
            return Error{.code = ErrorCode::too_large,
                         .stage = "unpack",
                         .subject = name,
                         .message = "unpacks to more than " + std::to_string(limit >> 20) +
                                    " MB; cut out a part, or use .osm.pbf"};
        }
        const std::size_t had = out.size();
        out.resize(had + kBlock);
        std::size_t used = 0, made = 0;
        const Step step = codec.step(bytes.subspan(at), std::span(out).subspan(had), used, made);
        out.resize(had + made);
        at += used;
        if (step == Step::damaged) return broken(at, "damaged");
        if (step == Step::cut_short) return broken(bytes.size(), "cut short");
        if (step == Step::stream_end) {
            if (at == bytes.size()) return out;
            if (!codec.restart()) return broken(at, "damaged");
        }
    }
}

template <class Stream>
void set_window(Stream& stream, std::span<const std::byte> in, std::span<std::byte> out) {
    constexpr std::size_t kMost = std::numeric_limits<unsigned>::max();
    // Neither library writes to its input; their types are older than const.
    stream.next_in = reinterpret_cast<decltype(stream.next_in)>(const_cast<std::byte*>(in.data()));
    stream.avail_in = static_cast<unsigned>(std::min(in.size(), kMost));
    stream.next_out = reinterpret_cast<decltype(stream.next_out)>(out.data());
    stream.avail_out = static_cast<unsigned>(std::min(out.size(), kMost));
}

class Gzip {
public:
    static constexpr const char* kName = "gzip";
    Gzip() { ready_ = inflateInit2(&stream_, 15 + 16) == Z_OK; }
    Gzip(const Gzip&) = delete;
    Gzip& operator=(const Gzip&) = delete;
    ~Gzip() {
        if (ready_) inflateEnd(&stream_);
    }
    bool restart() { return inflateReset(&stream_) == Z_OK; }
    Step step(std::span<const std::byte> in, std::span<std::byte> out, std::size_t& used,
              std::size_t& made) {
        if (!ready_) throw std::bad_alloc();
        set_window(stream_, in, out);
        const unsigned in_before = stream_.avail_in, out_before = stream_.avail_out;
        const int code = inflate(&stream_, Z_NO_FLUSH);
        used = in_before - stream_.avail_in;
        made = out_before - stream_.avail_out;
        if (code == Z_STREAM_END) return Step::stream_end;
        if (code == Z_MEM_ERROR) throw std::bad_alloc();
        if (code != Z_OK && code != Z_BUF_ERROR) return Step::damaged;
        return used == 0 && made == 0 ? Step::cut_short : Step::going;
    }

private:
    z_stream stream_{};
    bool ready_ = false;
};

class Bzip2 {
public:
    static constexpr const char* kName = "bzip2";
    Bzip2() { ready_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK; }
    Bzip2(const Bzip2&) = delete;
    Bzip2& operator=(const Bzip2&) = delete;
    ~Bzip2() { BZ2_bzDecompressEnd(&stream_); }
    bool restart() {
        BZ2_bzDecompressEnd(&stream_);
        stream_ = {};
        ready_ = BZ2_bzDecompressInit(&stream_, 0, 0) == BZ_OK;
        return ready_;
    }
    Step step(std::span<const std::byte> in, std::span<std::byte> out, std::size_t& used,
              std::size_t& made) {
        if (!ready_) throw std::bad_alloc();
        set_window(stream_, in, out);
        const unsigned in_before = stream_.avail_in, out_before = stream_.avail_out;
        const int code = BZ2_bzDecompress(&stream_);
        used = in_before - stream_.avail_in;
        made = out_before - stream_.avail_out;
        if (code == BZ_STREAM_END) return Step::stream_end;
        if (code == BZ_MEM_ERROR) throw std::bad_alloc();
        if (code != BZ_OK) return Step::damaged;
        return used == 0 && made == 0 ? Step::cut_short : Step::going;
    }

private:
    bz_stream stream_{};
    bool ready_ = false;
};

bool starts_with(std::span<const std::byte> bytes, std::initializer_list<unsigned char> magic) {
    return bytes.size() >= magic.size() &&
           std::equal(magic.begin(), magic.end(), bytes.begin(),
                      [](unsigned char a, std::byte b) { return std::byte{a} == b; });
}

}  // namespace

bool is_gzip(std::span<const std::byte> bytes) {
    return starts_with(bytes, {0x1f, 0x8b});
}
bool is_bzip2(std::span<const std::byte> bytes) {
    return starts_with(bytes, {'B', 'Z', 'h'});
}

Result<Bytes> unpack_gzip(std::span<const std::byte> bytes, const std::string& name,
                          std::uint64_t limit) {
    return unpack<Gzip>(bytes, name, limit);
}
Result<Bytes> unpack_bzip2(std::span<const std::byte> bytes, const std::string& name,
                           std::uint64_t limit) {
    return unpack<Bzip2>(bytes, name, limit);
}

}  // namespace tw::io
