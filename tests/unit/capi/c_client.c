/* A program in plain C99 bakes a world, reads it, and meets every kind of refusal. */
#include "terraway.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void check(int holds, int line, const char* what) {
    if (holds) return;
    fprintf(stderr, "c_client.c:%d: %s does not hold\n", line, what);
    ++failures;
}
#define CHECK(condition) check((condition) != 0, __LINE__, #condition)

static const char* const kRecipe =
    "{\"terraway\": 1, \"seed\": 3, \"size\": [2000, 2000], \"terrain\": {\"cells\": 400},\n"
    " \"output\": {\"raster_longest\": 32}, \"navigation\": {\"longest\": 32},\n"
    " \"roads\": {\"lines\": [{\"points\": [[-200, 0], [200, 0]]}, {\"points\": [[0, -200], [0, "
    "200]]}]}}";

static tw_bake_options options_for(const char* recipe, const char* overrides) {
    tw_bake_options options;
    memset(&options, 0, sizeof options);
    options.size = sizeof options;
    options.recipe = recipe;
    options.recipe_length = strlen(recipe);
    options.overrides = overrides;
    options.overrides_length = overrides ? strlen(overrides) : 0;
    return options;
}

static tw_bake* finished_bake(const tw_bake_options* options, uint32_t budget) {
    tw_bake* bake = NULL;
    uint32_t finished = 0;
    CHECK(tw_bake_create(options, &bake) == TW_OK);
    while (bake && !finished) {
        if (tw_bake_advance(bake, budget, &finished) != TW_OK) {
            CHECK(!"the bake fails");
            break;
        }
    }
    return bake;
}

static uint64_t hash_of(const tw_bake_options* options, uint32_t budget) {
    tw_bake* bake = finished_bake(options, budget);
    uint64_t hash = 0;
    CHECK(tw_bake_hash(bake, &hash) == TW_OK);
    tw_bake_free(bake);
    return hash;
}

static void bakes_alike(void) {
    tw_bake_options options = options_for(kRecipe, NULL);
    const uint64_t hash = hash_of(&options, 1000000);
    CHECK(hash != 0);
    CHECK(hash_of(&options, 1) == hash);
    options.threads = 3;
    CHECK(hash_of(&options, 1000000) == hash);
    options = options_for(kRecipe, "seed=4\n\nwater.rain=1.5\n");
    CHECK(hash_of(&options, 1000000) != hash);
}

static void reads_arrays(const tw_bake* bake) {
    tw_array site, moisture, bounds, array;
    uint32_t count = 0, i;
    uint64_t k;
    site.size = moisture.size = bounds.size = array.size = sizeof(tw_array);
    CHECK(tw_bake_find_array(bake, "map.site", 8, &site) == TW_OK);
    CHECK(site.type == TW_TYPE_I32 && site.components == 2 && site.count > 300);
    CHECK(tw_bake_find_array(bake, "placement.bounds", 16, &bounds) == TW_OK);
    CHECK(bounds.type == TW_TYPE_I32 && bounds.components == 4 && bounds.count == 1);
    for (k = 0; k < site.count; ++k) {
        const int32_t* p = (const int32_t*)site.data + 2 * k;
        const int32_t* box = (const int32_t*)bounds.data;
        CHECK(p[0] > box[0] && p[1] > box[1] && p[0] < box[2] && p[1] < box[3]);
    }
    CHECK(tw_bake_find_array(bake, "moisture.moisture", 17, &moisture) == TW_OK);
    CHECK(moisture.type == TW_TYPE_U16 && moisture.components == 1 && moisture.count == site.count);
    CHECK(tw_bake_find_array(bake, "map.sit", 7, &array) == TW_NOT_FOUND);
    CHECK(tw_bake_array_count(bake, &count) == TW_OK && count > 40);
    for (i = 0; i < count; ++i) {
        CHECK(tw_bake_array(bake, i, &array) == TW_OK);
        CHECK(array.type >= TW_TYPE_U8 && array.type <= TW_TYPE_F64 && array.components >= 1);
        CHECK(array.count == 0 || array.data != NULL);
        CHECK(memchr(array.name, '.', array.name_length) != NULL);
    }
    CHECK(tw_bake_array(bake, count, &array) == TW_NOT_FOUND);
}

static void reads_meshes(const tw_bake* bake) {
    uint32_t count = 0, i, corridors = 0;
    CHECK(tw_bake_mesh_count(bake, &count) == TW_OK && count > 0);
    for (i = 0; i < count; ++i) {
        tw_mesh mesh;
        uint64_t k;
        mesh.size = sizeof mesh;
        CHECK(tw_bake_mesh(bake, i, &mesh) == TW_OK);
        CHECK(mesh.vertex_count > 0 && mesh.triangle_count > 0);
        for (k = 0; k < 3 * mesh.triangle_count; ++k) CHECK(mesh.triangle[k] < mesh.vertex_count);
        for (k = 0; k < mesh.vertex_count; ++k) {
            const float* n = mesh.normal + 3 * k;
            const float length2 = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
            CHECK(length2 > 0.999f && length2 < 1.001f);
            CHECK(mesh.rgba[4 * k + 3] > 0);
        }
        if (mesh.surface_length == 9 && memcmp(mesh.surface, "corridors", 9) == 0) ++corridors;
    }
    CHECK(corridors > 0);
}

static void reads_glb(tw_bake* bake) {
    uint64_t length = 0, again = 0;
    char* bytes = NULL;
    CHECK(tw_bake_glb(bake, NULL, 0, &length) == TW_OK && length > 1000);
    bytes = malloc(length);
    CHECK(tw_bake_glb(bake, bytes, length - 1, &again) == TW_TOO_LARGE && again == length);
    CHECK(tw_bake_glb(bake, bytes, length, &again) == TW_OK);
    CHECK(memcmp(bytes, "glTF", 4) == 0);
    free(bytes);
}

static void reads_everything(void) {
    const tw_bake_options options = options_for(kRecipe, NULL);
    tw_bake* bake = NULL;
    tw_progress progress;
    tw_stage first, stage;
    uint32_t finished = 0, stages = 0, i;
    uint64_t hash = 0;
    progress.size = sizeof progress;
    first.size = stage.size = sizeof stage;
    CHECK(tw_bake_create(&options, &bake) == TW_OK);
    CHECK(tw_bake_progress(bake, &progress) == TW_OK && progress.fraction == 0.0);
    CHECK(progress.stage_length == 9 && memcmp(progress.stage, "placement", 9) == 0);
    CHECK(tw_bake_hash(bake, &hash) == TW_MISUSE);
    CHECK(tw_bake_advance(bake, 0, &finished) == TW_OK && !finished);
    CHECK(tw_bake_stage(bake, 0, &first) == TW_OK);
    CHECK(tw_bake_stage(bake, 1, &stage) == TW_NOT_FOUND);
    while (!finished) CHECK(tw_bake_advance(bake, 0, &finished) == TW_OK);
    /* A view from the first slice is still valid after the last. */
    CHECK(first.name_length == 9 && memcmp(first.name, "placement", 9) == 0);
    CHECK(tw_bake_stage_count(bake, &stages) == TW_OK && stages == 22);
    for (i = 0; i < stages; ++i) CHECK(tw_bake_stage(bake, i, &stage) == TW_OK && stage.hash != 0);
    CHECK(tw_bake_progress(bake, &progress) == TW_OK && progress.fraction == 1.0);
    CHECK(progress.stage_length == 0);
    reads_arrays(bake);
    reads_meshes(bake);
    reads_glb(bake);
    tw_bake_free(bake);
}

static void expect_refusal(tw_bake_options options, int32_t code, const char* words) {
    tw_bake* bake = NULL;
    char text[512];
    uint64_t length = 0, whole = 0;
    uint32_t finished = 0;
    memset(text, 0, sizeof text);
    CHECK(tw_bake_create(&options, &bake) == code);
    CHECK(bake != NULL);
    CHECK(tw_bake_error(bake, NULL, 0, &whole) == code && whole > 0);
    CHECK(tw_bake_error(bake, text, sizeof text - 1, &length) == code && length == whole);
    CHECK(strstr(text, words) != NULL);
    if (!strstr(text, words)) fprintf(stderr, "  %s\n", text);
    CHECK(tw_bake_advance(bake, 1, &finished) == TW_MISUSE);
    tw_bake_free(bake);
}

static void refuses(void) {
    tw_bake_options options = options_for("{\"terraway\": 1,\n \"sed\": 2}", NULL);
    expect_refusal(options, TW_INVALID_INPUT,
                   "recipe:2: sed: no such parameter; did you mean seed?");
    options = options_for(kRecipe, "terrain.cells=3");
    expect_refusal(options, TW_INVALID_OPTION, "16 to 4000000");
    options = options_for("{\"terraway\": 1, \"terrain\": {\"file\": null}}", NULL);
    expect_refusal(options, TW_NOT_FOUND, "terrain.file: is not set");
    options = options_for(kRecipe, NULL);
    options.heights = "no blob";
    options.heights_length = 7;
    expect_refusal(options, TW_INVALID_INPUT, "this is no blob");
    options = options_for(kRecipe, NULL);
    options.memory_limit = 1000;
    expect_refusal(options, TW_TOO_LARGE, "raise the limit");
    options = options_for("", NULL);
    expect_refusal(options, TW_INVALID_INPUT, "expected a value");
}

static void survives_misuse(void) {
    tw_bake_options options = options_for(kRecipe, NULL);
    tw_bake* bake = NULL;
    uint32_t finished = 0, count = 0;
    uint64_t length = 0;
    tw_array array;
    CHECK(tw_bake_create(NULL, &bake) == TW_MISUSE && bake == NULL);
    CHECK(tw_bake_create(&options, NULL) == TW_MISUSE);
    options.size = 8;
    CHECK(tw_bake_create(&options, &bake) == TW_MISUSE && bake == NULL);
    CHECK(tw_bake_advance(NULL, 1, &finished) == TW_MISUSE);
    CHECK(tw_bake_error(NULL, NULL, 0, &length) == TW_MISUSE);
    tw_bake_free(NULL);

    options = options_for(kRecipe, NULL);
    CHECK(tw_bake_create(&options, &bake) == TW_OK);
    CHECK(tw_bake_advance(bake, 1, NULL) == TW_MISUSE);
    CHECK(tw_bake_glb(bake, NULL, 0, &length) == TW_MISUSE);
    CHECK(tw_bake_mesh_count(bake, &count) == TW_OK && count == 0);
    array.size = 0;
    CHECK(tw_bake_array(bake, 0, &array) == TW_MISUSE);
    CHECK(tw_bake_cancel(bake) == TW_OK);
    CHECK(tw_bake_advance(bake, 1, &finished) == TW_CANCELLED);
    CHECK(tw_bake_error(bake, NULL, 0, &length) == TW_CANCELLED && length > 0);
    tw_bake_free(bake);
}

static void bakes_streets_alone(void) {
    tw_bake_options options = options_for(kRecipe, NULL);
    uint32_t stages = 0;
    uint64_t length = 0;
    tw_bake* bake = NULL;
    options.target = TW_TARGET_STREETS;
    bake = finished_bake(&options, 1000000);
    CHECK(tw_bake_stage_count(bake, &stages) == TW_OK && stages == 5);
    CHECK(tw_bake_glb(bake, NULL, 0, &length) == TW_MISUSE);
    tw_bake_free(bake);
}

static int32_t apply(tw_session* session, const char* lines) {
    return tw_session_apply(session, lines, strlen(lines));
}

static void lives(void) {
    const tw_bake_options options = options_for(kRecipe, NULL);
    tw_bake* bake = finished_bake(&options, 1000000);
    tw_session_options how;
    tw_session *session = NULL, *loaded = NULL;
    tw_ids cells;
    tw_mesh_change change;
    tw_mesh mesh;
    uint64_t first = 0, hash = 0, length = 0;
    uint32_t count = 0, i;
    void* bytes = NULL;
    char text[256];
    memset(&how, 0, sizeof how);
    memset(text, 0, sizeof text);
    how.size = sizeof how;
    how.undo_steps = 1;
    cells.size = sizeof cells;
    change.size = sizeof change;
    mesh.size = sizeof mesh;
    CHECK(tw_session_from_bake(bake, &how, &session) == TW_OK);
    CHECK(tw_bake_hash(bake, &first) == TW_OK);
    CHECK(tw_session_changed_cells(session, &cells) == TW_OK && cells.count == 0);

    CHECK(apply(session,
                "{\"edit\": \"raise\", \"path\": [[100, 100]], \"radius\": 200, "
                "\"amount\": 50}\n") == TW_OK);
    CHECK(tw_session_hash(session, &hash) == TW_OK && hash != first);
    CHECK(tw_bake_hash(bake, &hash) == TW_OK && hash == first);
    tw_bake_free(bake);
    CHECK(tw_session_changed_cells(session, &cells) == TW_OK && cells.count > 0);
    CHECK(tw_session_mesh_change_count(session, &count) == TW_OK && count > 0);
    for (i = 0; i < count; ++i) {
        CHECK(tw_session_mesh_change(session, i, &change) == TW_OK);
        CHECK(tw_session_mesh(session, change.mesh, &mesh) == TW_OK);
        CHECK(change.surface_length == mesh.surface_length);
        CHECK(memcmp(change.surface, mesh.surface, mesh.surface_length) == 0);
        CHECK(change.vertex_begin <= change.vertex_end && change.vertex_end <= mesh.vertex_count);
        CHECK(change.triangle_end <= mesh.triangle_count);
    }

    CHECK(tw_session_save(session, NULL, 0, &length) == TW_OK && length > 1000);
    bytes = malloc(length);
    CHECK(tw_session_save(session, bytes, length, &length) == TW_OK);
    CHECK(tw_session_load(bytes, length, NULL, &loaded) == TW_OK);
    free(bytes);
    CHECK(tw_session_hash(session, &first) == TW_OK);
    CHECK(tw_session_hash(loaded, &hash) == TW_OK && hash == first);
    tw_session_free(loaded);

    CHECK(apply(session, "{\"edit\": \"take_obstacle\", \"obstacle\": \"none\"}") == TW_NOT_FOUND);
    CHECK(tw_session_error(session, text, sizeof text - 1, &length) == TW_NOT_FOUND);
    CHECK(strstr(text, "edit 1 (none)") != NULL);
    CHECK(apply(session,
                "{\"edit\": \"put_obstacle\", \"obstacle\": \"rock\", \"ring\": "
                "[[300, 300], [500, 300], [300, 500]]}") == TW_OK);
    CHECK(tw_session_undo(session) == TW_OK);
    CHECK(tw_session_hash(session, &hash) == TW_OK && hash == first);
    CHECK(tw_session_undo(session) == TW_NOT_FOUND); /* one step is kept */
    CHECK(tw_session_redo(session) == TW_OK);
    CHECK(tw_session_hash(session, &hash) == TW_OK && hash != first);

    CHECK(tw_session_load("no world", 8, NULL, &loaded) == TW_INVALID_INPUT && loaded != NULL);
    CHECK(apply(loaded, "") == TW_MISUSE);
    tw_session_free(loaded);
    CHECK(tw_session_load(NULL, 8, NULL, &loaded) == TW_MISUSE && loaded == NULL);
    CHECK(tw_session_undo(NULL) == TW_MISUSE);
    tw_session_free(NULL);
    tw_session_free(session);
}

int main(void) {
    CHECK(tw_abi_version() == TW_ABI_VERSION);
    bakes_alike();
    reads_everything();
    refuses();
    survives_misuse();
    bakes_streets_alone();
    lives();
    if (failures == 0) puts("c_client: all checks hold");
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
