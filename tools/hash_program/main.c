/* Bakes a recipe through the C ABI alone and prints a line `stage hash` for each stage, then the
 * world's. tools/determinism compares what it prints on many machines; bindings/wasm/hash.mjs is
 * its twin. */
#include "terraway.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Bytes {
    char* data;
    uint64_t length;
} Bytes;

static void fail(const char* what, const char* subject) {
    fprintf(stderr, "terraway_hash: %s%s\n", what, subject);
    exit(2);
}

static void append(Bytes* bytes, const char* data, size_t length) {
    char* grown = realloc(bytes->data, bytes->length + length + 1);
    if (!grown) fail("out of memory", "");
    memcpy(grown + bytes->length, data, length);
    bytes->data = grown;
    bytes->length += length;
}

static Bytes read_file(const char* path) {
    Bytes bytes = {NULL, 0};
    char buffer[65536];
    size_t got;
    FILE* file = fopen(path, "rb");
    if (!file) fail("cannot read ", path);
    while ((got = fread(buffer, 1, sizeof buffer, file)) > 0) append(&bytes, buffer, got);
    if (ferror(file)) fail("cannot read ", path);
    fclose(file);
    return bytes;
}

static void require(int32_t code, const tw_bake* bake) {
    char text[1024];
    uint64_t length = 0;
    if (code == TW_OK) return;
    if (bake) tw_bake_error(bake, text, sizeof text - 1, &length);
    text[length < sizeof text ? length : sizeof text - 1] = 0;
    fail(length ? text : "the C ABI was misused", "");
}

int main(int count, char** arguments) {
    tw_bake_options options = {.size = sizeof options};
    Bytes recipe, overrides = {NULL, 0}, heights = {NULL, 0}, lines = {NULL, 0};
    tw_bake* bake = NULL;
    uint32_t finished = 0, stages = 0;
    uint64_t hash = 0;
    int32_t code;

    if (count < 3 || count % 2 == 0) {
        fail("usage: THREADS RECIPE [--set PATH=VALUE]... [--heights BLOB] [--lines BLOB]", "");
    }
    if (tw_abi_version() != TW_ABI_VERSION) fail("terraway.h is of another version", "");
    options.threads = (uint32_t)strtoul(arguments[1], NULL, 10);
    recipe = read_file(arguments[2]);
    for (int i = 3; i < count; i += 2) {
        const char *option = arguments[i], *value = arguments[i + 1];
        if (strcmp(option, "--set") == 0) {
            append(&overrides, value, strlen(value));
            append(&overrides, "\n", 1);
        } else if (strcmp(option, "--heights") == 0) {
            heights = read_file(value);
        } else if (strcmp(option, "--lines") == 0) {
            lines = read_file(value);
        } else {
            fail("no such option: ", option);
        }
    }
    options.recipe = recipe.data;
    options.recipe_length = recipe.length;
    options.overrides = overrides.data;
    options.overrides_length = overrides.length;
    options.heights = heights.data;
    options.heights_length = heights.length;
    options.lines = lines.data;
    options.lines_length = lines.length;

    code = tw_bake_create(&options, &bake);
    require(code, bake);
    while (!finished) require(tw_bake_advance(bake, 1000, &finished), bake);
    require(tw_bake_stage_count(bake, &stages), bake);
    for (uint32_t i = 0; i < stages; ++i) {
        tw_stage stage = {.size = sizeof stage};
        require(tw_bake_stage(bake, i, &stage), bake);
        printf("%.*s %016" PRIx64 "\n", (int)stage.name_length, stage.name, stage.hash);
    }
    require(tw_bake_hash(bake, &hash), bake);
    printf("world %016" PRIx64 "\n", hash);

    tw_bake_free(bake);
    free(recipe.data);
    free(overrides.data);
    free(heights.data);
    free(lines.data);
    return 0;
}
