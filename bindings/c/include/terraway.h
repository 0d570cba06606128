/* Terraway's C ABI: for C, C++, WebAssembly, C# and whatever else can call C.
 *
 * - Handles are opaque. Every struct begins with its size: the caller sets it to sizeof, so that a
 *   newer library still serves an older caller.
 * - Text is UTF-8 with a length in bytes, without a zero at its end.
 * - Functions return TW_OK or a tw_code; nothing is thrown, nothing calls back, nothing is printed.
 * - A view (a const pointer in a struct that the library fills) is valid until the handle is freed;
 *   one of a session until its next step (apply, undo, redo).
 * - A handle is used by one thread at a time, but tw_bake_progress and tw_bake_cancel may be called
 *   from any thread meanwhile.
 * - Plan coordinates and heights are in steps of 1/1024 m: x east, y north, z up, 0 is the sea.
 */
#ifndef TERRAWAY_H
#define TERRAWAY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define TW_API
#else
#define TW_API __attribute__((visibility("default")))
#endif

#define TW_ABI_VERSION 1u

typedef enum tw_code {
    TW_OK = 0,
    TW_INVALID_OPTION = 1, /* a parameter is out of its range or contradicts another */
    TW_INVALID_INPUT = 2,  /* data that the caller gave is wrong */
    TW_UNSUPPORTED = 3,
    TW_TOO_LARGE = 4, /* the work would pass the memory limit, or a buffer is too small */
    TW_NOT_FOUND = 5,
    TW_IO = 6,
    TW_CANCELLED = 7,
    TW_CHECK_FAILED = 8,
    TW_MISUSE = 9 /* a null pointer, a wrong struct size, a call at the wrong time */
} tw_code;

/* The version of the library that runs: compare it with TW_ABI_VERSION. */
TW_API uint32_t tw_abi_version(void);

/* ---- A bake: a recipe becomes a world, in slices. ---- */

typedef struct tw_bake tw_bake;

enum { TW_TARGET_WORLD = 0, TW_TARGET_STREETS = 1 };

typedef struct tw_bake_options {
    uint32_t size;     /* sizeof(tw_bake_options) */
    uint32_t threads;  /* that work at once; 0 or 1: the caller's alone, as always in WebAssembly */
    uint32_t target;   /* TW_TARGET_WORLD, or TW_TARGET_STREETS for the plan of the streets alone */
    uint32_t reserved; /* 0 */
    uint64_t memory_limit; /* bytes of the whole bake, by estimate; 0: no limit */

    /* All of these are read by tw_bake_create and may go afterwards. Null with length 0: none. */
    uint64_t recipe_length;
    const char* recipe;
    uint64_t overrides_length;
    const char* overrides; /* lines of path=value: "seed=7\nterrain.cells=4000" */
    uint64_t heights_length;
    const void* heights; /* a blob of terraway import, for a recipe with terrain.file */
    uint64_t lines_length;
    const void* lines; /* a blob of terraway import, for a recipe with roads.file */
} tw_bake_options;

/* Reads the recipe and prepares the bake. *bake is set even when the recipe is refused, so that the
 * error can be read; only TW_MISUSE leaves it null. Free it in any case. */
TW_API int32_t tw_bake_create(const tw_bake_options* options, tw_bake** bake);

/* Null is allowed. Everything that was read from the handle goes with it. */
TW_API void tw_bake_free(tw_bake* bake);

/* Works until `budget` units are used; a whole bake is about 1,000 units, and at least one stage
 * runs. *finished becomes 1 when the world is there. The slices never change the world. */
TW_API int32_t tw_bake_advance(tw_bake* bake, uint32_t budget, uint32_t* finished);

/* From any thread: the stage that runs stops within milliseconds with TW_CANCELLED. */
TW_API int32_t tw_bake_cancel(tw_bake* bake);

typedef struct tw_progress {
    uint32_t size; /* sizeof(tw_progress) */
    uint32_t reserved;
    double fraction;       /* 0 ... 1 of the whole, never falling */
    uint64_t stage_length; /* 0 at the end */
    const char* stage;     /* that runs, or runs next */
} tw_progress;

/* From any thread. */
TW_API int32_t tw_bake_progress(const tw_bake* bake, tw_progress* progress);

/* The last error of this handle as one line, "rivers: #12: what is wrong; what to do". Writes at
 * most `capacity` bytes and sets *length to the whole length (0: no error), so that a call with
 * capacity 0 asks for the size. Returns the error's own code. */
TW_API int32_t tw_bake_error(const tw_bake* bake, char* text, uint64_t capacity, uint64_t* length);

/* ---- What came out. Stages can be read as soon as they have run. ---- */

typedef struct tw_stage {
    uint32_t size; /* sizeof(tw_stage) */
    uint32_t reserved;
    uint64_t hash; /* of the stage's output, equal on every machine */
    uint64_t name_length;
    const char* name;
} tw_stage;

TW_API int32_t tw_bake_stage_count(const tw_bake* bake, uint32_t* count);
TW_API int32_t tw_bake_stage(const tw_bake* bake, uint32_t index, tw_stage* stage);

/* The hash of the whole world. TW_MISUSE until the bake has finished. */
TW_API int32_t tw_bake_hash(const tw_bake* bake, uint64_t* hash);

enum {
    TW_TYPE_U8 = 1,
    TW_TYPE_I8 = 2,
    TW_TYPE_U16 = 3,
    TW_TYPE_I16 = 4,
    TW_TYPE_U32 = 5,
    TW_TYPE_I32 = 6,
    TW_TYPE_U64 = 7,
    TW_TYPE_I64 = 8,
    TW_TYPE_F32 = 9,
    TW_TYPE_F64 = 10
};

/* A view of one array of the world, as its stage left it. Ids are indices; the type's largest value
 * means none. A single value is an array of one element. */
typedef struct tw_array {
    uint32_t size;       /* sizeof(tw_array) */
    uint32_t type;       /* TW_TYPE_... of one component */
    uint32_t components; /* of one element: 2 for a point, 4 for a box */
    uint32_t reserved;
    uint64_t count; /* elements */
    const void* data;
    uint64_t name_length;
    const char* name; /* "map.site", "drainage.discharge": stage and field, as in world's headers */
} tw_array;

TW_API int32_t tw_bake_array_count(const tw_bake* bake, uint32_t* count);
TW_API int32_t tw_bake_array(const tw_bake* bake, uint32_t index, tw_array* array);
/* TW_NOT_FOUND when there is no such array, or its stage has not run. */
TW_API int32_t tw_bake_find_array(const tw_bake* bake, const char* name, uint64_t name_length,
                                  tw_array* array);

/* A view of one chunk of a surface. */
typedef struct tw_mesh {
    uint32_t size;    /* sizeof(tw_mesh) */
    int32_t origin_x; /* steps: what positions count from */
    int32_t origin_y;
    uint32_t reserved;
    uint64_t surface_length;
    const char* surface; /* "terrain", "water", "junctions", "corridors", "bridges", "tunnels" */
    uint64_t vertex_count;
    const int32_t* position; /* 3 a vertex: steps from the origin, z above the sea */
    const float* normal;     /* 3 a vertex, unit length */
    const uint8_t* rgba;     /* 4 a vertex, sRGB */
    uint64_t triangle_count;
    const uint32_t* triangle; /* 3 a triangle, counter-clockwise seen from outside */
} tw_mesh;

TW_API int32_t tw_bake_mesh_count(const tw_bake* bake, uint32_t* count);
TW_API int32_t tw_bake_mesh(const tw_bake* bake, uint32_t index, tw_mesh* mesh);

/* All surfaces as a binary glTF file. *length is set to what it takes: a null buffer and capacity 0
 * asks for the size. Writes nothing and returns TW_TOO_LARGE when `capacity` is less. */
TW_API int32_t tw_bake_glb(tw_bake* bake, void* buffer, uint64_t capacity, uint64_t* length);

/* ---- A session: a world that lives. Edits go in, and only what they touch is rebuilt. ---- */

typedef struct tw_session tw_session;

typedef struct tw_session_options {
    uint32_t size;         /* sizeof(tw_session_options) */
    uint32_t threads;      /* that work at once; 0 or 1: the caller's alone */
    uint64_t undo_steps;   /* that are kept, the oldest leave first; 0: 256 */
    uint64_t memory_limit; /* bytes of a world that is loaded; 0: no limit */
} tw_session_options;

/* Both make a session; options may be null. *session is set even when they fail, so that the error
 * can be read; only TW_MISUSE leaves it null. Free it in any case. */

/* From a bake of TW_TARGET_WORLD that has finished, else TW_MISUSE. The session has copies of what
 * edits may change: the bake and its views stay as they are, and it may be freed. */
TW_API int32_t tw_session_from_bake(const tw_bake* bake, const tw_session_options* options,
                                    tw_session** session);

/* From the bytes of a world.tw, which may go afterwards. Every page's hash is compared:
 * TW_INVALID_INPUT when they are damaged, TW_CHECK_FAILED when their parts do not fit each other,
 * TW_UNSUPPORTED when they are newer, or compressed and the library was built without LZ4, as in
 * WebAssembly; TW_INVALID_INPUT when the world lacks stages. */
TW_API int32_t tw_session_load(const void* bytes, uint64_t length,
                               const tw_session_options* options, tw_session** session);

/* Null is allowed. */
TW_API void tw_session_free(tw_session* session);

/* The last error of this handle: as tw_bake_error. */
TW_API int32_t tw_session_error(const tw_session* session, char* text, uint64_t capacity,
                                uint64_t* length);

/* The world as a world.tw, with its recipe and all edits so far. *length is set to what it takes:
 * a null buffer and capacity 0 asks for the size. Writes nothing and returns TW_TOO_LARGE when
 * `capacity` is less. Steps that could be undone are not saved. */
TW_API int32_t tw_session_save(tw_session* session, void* buffer, uint64_t capacity,
                               uint64_t* length);

/* Does edits, which are lines of edits.jsonl without its first, as one step: all or none. A line
 * without "tick" has that of the edit before; a "hash" goes on with those of the edits so far. An
 * error names the line, from 1 ("edits:2" or "edit 2 (raise)"), and leaves the world as it was:
 * TW_INVALID_INPUT, TW_INVALID_OPTION, TW_NOT_FOUND (no such road or obstacle), TW_UNSUPPORTED,
 * TW_TOO_LARGE. */
TW_API int32_t tw_session_apply(tw_session* session, const char* lines, uint64_t length);

/* Takes the last step back, or does again what was taken back last. TW_NOT_FOUND: there is none. */
TW_API int32_t tw_session_undo(tw_session* session);
TW_API int32_t tw_session_redo(tw_session* session);

/* The hash of the whole world: that of a bake of the same recipe with the same edits. */
TW_API int32_t tw_session_hash(tw_session* session, uint64_t* hash);

/* ---- What the last step changed: for readers that keep copies. Nothing before the first. ---- */

/* A view of ids, ascending: indices into the arrays of what they name. */
typedef struct tw_ids {
    uint32_t size; /* sizeof(tw_ids) */
    uint32_t reserved;
    uint64_t count;
    const uint32_t* id;
} tw_ids;

/* Cells any of whose values differs: elevation, water, moisture, biome ... */
TW_API int32_t tw_session_changed_cells(const tw_session* session, tw_ids* cells);
/* Squares of the cost grid, row by row from the south-west. */
TW_API int32_t tw_session_changed_squares(const tw_session* session, tw_ids* squares);
/* *changed becomes 1 when the surfaces of streets are others. Their chunks are among the mesh
 * changes, written whole; chunks may have come or gone, so read the list of meshes again. */
TW_API int32_t tw_session_changed_roads(const tw_session* session, uint32_t* changed);

/* The part of a mesh that must be read again: vertices and triangles from begin until end. */
typedef struct tw_mesh_change {
    uint32_t size; /* sizeof(tw_mesh_change) */
    uint32_t mesh; /* index for tw_session_mesh */
    uint64_t surface_length;
    const char* surface; /* "terrain" or "water" */
    uint32_t chunk;      /* of the surface */
    uint32_t resized;    /* 1: it has more or fewer vertices or triangles than before */
    uint32_t vertex_begin;
    uint32_t vertex_end;
    uint32_t triangle_begin;
    uint32_t triangle_end;
} tw_mesh_change;

TW_API int32_t tw_session_mesh_change_count(const tw_session* session, uint32_t* count);
TW_API int32_t tw_session_mesh_change(const tw_session* session, uint32_t index,
                                      tw_mesh_change* change);

/* ---- The world as it stands. ---- */

/* As tw_bake_mesh. Chunks of "terrain" and "water" keep their index for the session's life. */
TW_API int32_t tw_session_mesh_count(const tw_session* session, uint32_t* count);
TW_API int32_t tw_session_mesh(const tw_session* session, uint32_t index, tw_mesh* mesh);

/* As tw_bake_array. After a step, the first of these brings up to date what is made on demand, the
 * height raster: they cost more than meshes and what changed. */
TW_API int32_t tw_session_array_count(tw_session* session, uint32_t* count);
TW_API int32_t tw_session_array(tw_session* session, uint32_t index, tw_array* array);
TW_API int32_t tw_session_find_array(tw_session* session, const char* name, uint64_t name_length,
                                     tw_array* array);

#ifdef __cplusplus
}
#endif

#endif
