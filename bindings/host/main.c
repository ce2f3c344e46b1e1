// The program: LuaJIT with a memory limit and a watchdog, which hands over to scripts/commands/init.lua.
// Exit codes: 0 done, 1 a job failed, 2 wrong usage, 124 a script did not come back, 130 interrupted (headless).
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <lauxlib.h>
#include <lua.h>
#include <luajit.h>
#include <lualib.h>

enum { EXIT_USAGE = 2, EXIT_STUCK = 124, NAME_SIZE = 128 };

static char root[PATH_MAX];        // holds scripts/, scenes/ and bindings/
static char program_dir[PATH_MAX]; // holds this program
static bool safe;                  // --safe: borrowed scripts

// --- memory: counted, with a limit ---------------------------------------------------------------------------

typedef struct Heap {
    size_t used, limit;
    bool refused; // the limit was met: what handles that error may take RESERVE more
} Heap;

enum { RESERVE = 4 << 20 };

static Heap heap;

static void *heap_alloc(void *context, void *old, size_t old_size, size_t size)
{
    Heap *h = context;
    if (size == 0) {
        free(old);
        h->used -= old ? old_size : 0;
        return NULL;
    }
    const size_t before = old ? old_size : 0;
    const size_t wanted = h->used - before + size;
    if (h->refused && h->used + RESERVE < h->limit) h->refused = false;
    if (size > before && wanted > h->limit && (!h->refused || wanted > h->limit + RESERVE)) {
        h->refused = true;
        return NULL; // Lua raises "not enough memory"
    }
    void *fresh = realloc(old, size);
    if (!fresh) return NULL;
    h->used += size - before;
    return fresh;
}

/// A number out of the environment, where it is set there; a wrong one ends the program.
static double number_from(const char *name, double otherwise, double least, double most)
{
    const char *given = getenv(name);
    if (!given || !given[0]) return otherwise;
    char *end;
    const double value = strtod(given, &end);
    if (*end == '\0' && value >= least && value <= most) return value;
    fprintf(stderr, "thatch: $%s is '%s', need a number %g .. %.7g\n", name, given, least, most);
    exit(EXIT_USAGE);
}

/// A state under the limit; where LuaJIT allows no allocator of one's own, one without.
static lua_State *new_state(double mib)
{
    heap.limit = (size_t)(mib * 1048576.0);
    lua_State *L = lua_newstate(heap_alloc, &heap);
    if (L) return L;
    heap.limit = 0;
    return luaL_newstate();
}

// --- the watchdog: names a script that does not come back -------------------------------------------------------

typedef struct Watch {
    pthread_mutex_t lock;
    char what[NAME_SIZE]; // what runs now; "" when nothing is watched
    double late_s;        // since the last sign of life; time in which the whole program stood still does not count
    double whole_s;       // since the last beat
    double since_s;       // since the script was asked to come back, or since its name was said
    double limit_s, patience;
    uint32_t pulse_seen, stages; // stages that came back since the last beat
    int32_t strikes;             // errors that it has raised since the last sign of life
    bool headless;
    bool told, named; // the script was asked to come back; its name was said
    atomic_bool hooked;
    lua_State *L;
} Watch;

static Watch watch = {.lock = PTHREAD_MUTEX_INITIALIZER, .limit_s = 5, .patience = 1};

enum { TICK_MS = 200, STAGE_PATIENCE = 12, STAGES_MOST = 4096, GRACE_S = 2, MAX_STRIKES = 3 };

/// Signs of life that the bindings write without a call: [0] counts stages that came back, [1] is 1 while one runs.
/// A frame may take long on a slow machine; what lies between two stages may not. But a script that calls stages for
/// ever has not come back either: only the first STAGES_MOST count, and none beyond STAGE_PATIENCE times the limit.
static volatile uint32_t pulse[2];

static double clock_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/// Runs in the script's thread, at its next line: turns the endless loop into an ordinary error.
static void stuck_hook(lua_State *L, lua_Debug *record)
{
    (void)record;
    lua_sethook(L, NULL, 0, 0);
    atomic_store(&watch.hooked, false);
    char what[NAME_SIZE];
    pthread_mutex_lock(&watch.lock);
    memcpy(what, watch.what, sizeof what);
    const double late_s = watch.late_s;
    // A script that catches the error and goes on would do so for ever.
    const bool last = watch.headless || ++watch.strikes > MAX_STRIKES;
    watch.late_s = watch.whole_s = 0;
    watch.stages = 0;
    watch.told = watch.named = false;
    pthread_mutex_unlock(&watch.lock);
    if (!what[0]) return;
    luaL_where(L, 0);
    char text[NAME_SIZE + 64];
    snprintf(text, sizeof text, "%s has not come back for %.0f s", what, late_s);
    lua_pushfstring(L, "%s%s", lua_tostring(L, -1), text);
    if (last) {
        luaL_traceback(L, L, lua_tostring(L, -1), 0);
        fprintf(stderr, "thatch: %s\n", lua_tostring(L, -1));
        fflush(NULL);
        _exit(EXIT_STUCK);
    }
    lua_error(L);
}

static void watch_tick(double passed_s)
{
    const uint32_t came_back = pulse[0] - watch.pulse_seen;
    watch.pulse_seen += came_back;
    watch.whole_s = watch.what[0] ? watch.whole_s + passed_s : 0;
    watch.stages = watch.what[0] ? watch.stages + came_back : 0;
    const double base_s = watch.limit_s * watch.patience;
    const bool spent = watch.stages > STAGES_MOST || watch.whole_s > base_s * STAGE_PATIENCE;
    const bool in_stage = pulse[1] && !spent;
    const double limit_s = base_s * (in_stage ? STAGE_PATIENCE : 1);
    watch.late_s = !watch.what[0] ? 0 : spent ? watch.whole_s : came_back ? 0 : watch.late_s + passed_s;
    watch.since_s += passed_s;
    if (watch.late_s <= limit_s) {
        watch.since_s = 0;
    } else if (!watch.told) {
        watch.told = true;
        watch.since_s = 0;
        atomic_store(&watch.hooked, true);
        // As a signal handler would: compiled loops do not look, which the second stage is for.
        if (!in_stage) lua_sethook(watch.L, stuck_hook, LUA_MASKLINE | LUA_MASKCOUNT, 1);
    } else if (watch.since_s > GRACE_S && atomic_exchange(&watch.hooked, false)) {
        const bool ends = watch.headless || safe; // --safe: a call of the C library's that goes on and on
        watch.named = true;
        watch.since_s = 0;
        fprintf(stderr, "thatch: %s has not come back for %.0f s", watch.what, watch.late_s);
        if (!ends) fprintf(stderr, "; the program ends if it does not within %.3g s", limit_s);
        fputc('\n', stderr);
        fflush(stderr);
        if (ends) _exit(EXIT_STUCK);
    } else if (watch.named && watch.since_s > limit_s) {
        // A compiled loop can't be ended alone, and a window that does not answer helps nobody.
        fprintf(stderr, "thatch: %s has not come back for %.0f s: ended\n", watch.what, watch.late_s);
        fflush(stderr);
        _exit(EXIT_STUCK);
    }
}

static void *watch_main(void *unused)
{
    (void)unused;
    double before_s = clock_s();
    for (;;) {
        nanosleep(&(struct timespec){.tv_nsec = TICK_MS * 1000000L}, NULL);
        const double now_s = clock_s(), passed_s = now_s - before_s;
        before_s = now_s;
        pthread_mutex_lock(&watch.lock);
        // Stopped by ctrl-Z, or on a machine that is too busy to let this thread run: not the script's fault.
        watch_tick(passed_s < 0.5 ? passed_s : 0.5);
        pthread_mutex_unlock(&watch.lock);
    }
    return NULL;
}

/// host.beat(what, patience): what runs from here on, or nil: nothing is watched. patience times the limit is allowed.
static int host_beat(lua_State *L)
{
    const char *what = lua_isnoneornil(L, 1) ? "" : luaL_checkstring(L, 1);
    const double patience = luaL_optnumber(L, 2, 1);
    pthread_mutex_lock(&watch.lock);
    snprintf(watch.what, sizeof watch.what, "%s", what);
    watch.late_s = watch.whole_s = 0;
    watch.stages = 0;
    watch.strikes = 0;
    watch.patience = patience;
    if (watch.told) {
        watch.told = watch.named = false;
        atomic_store(&watch.hooked, false);
        lua_sethook(L, NULL, 0, 0);
    }
    pthread_mutex_unlock(&watch.lock);
    return 0;
}

static void interrupt_hook(lua_State *L, lua_Debug *record)
{
    (void)record;
    lua_sethook(L, NULL, 0, 0);
    lua_pushliteral(L, "interrupted");
    lua_error(L);
}

/// The first ctrl-C ends the job with an error, so that it leaves no half files; the second ends the program.
static void on_interrupt(int number)
{
    signal(number, SIG_DFL);
    lua_sethook(watch.L, interrupt_hook, LUA_MASKCALL | LUA_MASKRET | LUA_MASKCOUNT, 1);
}

/// host.headless(on): there is no window whose events tell of ctrl-C, and nobody to press Escape.
static int host_headless(lua_State *L)
{
    watch.headless = lua_toboolean(L, 1);
    const int numbers[] = {SIGINT, SIGTERM};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        // In the background a shell has it ignored, and so it stays.
        if (signal(numbers[i], watch.headless ? on_interrupt : SIG_DFL) == SIG_IGN) signal(numbers[i], SIG_IGN);
    }
    return 0;
}

static int host_memory(lua_State *L)
{
    lua_pushnumber(L, (lua_Number)heap.used);
    lua_pushnumber(L, (lua_Number)heap.limit);
    return 2;
}

/// host.is_terminal(2): is a standard stream a terminal?
static int host_is_terminal(lua_State *L)
{
    lua_pushboolean(L, isatty((int)luaL_checkinteger(L, 1)));
    return 1;
}

static int host_pid(lua_State *L)
{
    lua_pushinteger(L, (lua_Integer)getpid());
    return 1;
}

/// host.sleep(seconds): the rest of a frame.
static int host_sleep(lua_State *L)
{
    const double s = luaL_checknumber(L, 1);
    if (s > 0 && s < 10) {
        nanosleep(&(struct timespec){.tv_sec = (time_t)s, .tv_nsec = (long)((s - (double)(time_t)s) * 1e9)}, NULL);
    }
    return 0;
}

static int open_host(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"beat", host_beat}, {"headless", host_headless}, {"memory", host_memory},   {"is_terminal", host_is_terminal},
        {"pid", host_pid},   {"sleep", host_sleep},       {"confined", confine_run}, {"confines", confine_available},
        {NULL, NULL},
    };
    lua_newtable(L);
    luaL_register(L, NULL, functions);
    lua_pushstring(L, root);
    lua_setfield(L, -2, "root");
    lua_pushstring(L, program_dir);
    lua_setfield(L, -2, "program_dir");
    lua_pushboolean(L, safe);
    lua_setfield(L, -2, "safe");
    lua_pushlightuserdata(L, (void *)pulse);
    lua_setfield(L, -2, "pulse");
    return 1;
}

// --- where things are --------------------------------------------------------------------------------------------

/// Takes a folder as the root when it holds the scripts.
static bool try_root(const char *folder, const char *below)
{
    char path[PATH_MAX + 32], file[PATH_MAX + 64];
    struct stat info;
    if (snprintf(path, sizeof path, "%s%s", folder, below) >= PATH_MAX) return false;
    snprintf(file, sizeof file, "%s/scripts/commands/init.lua", path);
    return stat(file, &info) == 0 && realpath(path, root) != NULL;
}

/// The root is given, or beside the build folder, or an installation's share/thatch, or where it was built.
static bool find_root(const char *argv0)
{
    char self[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
    } else if (!realpath(argv0, self)) {
        return false;
    }
    snprintf(program_dir, sizeof program_dir, "%s", dirname(self));
    const char *given = getenv("THATCH_ROOT");
    if (given && given[0]) return try_root(given, "");
    return try_root(program_dir, "/..") || try_root(program_dir, "/../share/thatch") || try_root(THATCH_SOURCE_DIR, "");
}

static void set_paths(lua_State *L)
{
    static const char *const patterns[] = {
        "bindings/?.lua", "bindings/?/init.lua", "scripts/?.lua", "scripts/?/init.lua",
        "scenes/?.lua",   "scenes/?/init.lua",   "?.lua",         "?/init.lua",
    };
    luaL_Buffer buffer;
    lua_getglobal(L, "package");
    luaL_buffinit(L, &buffer);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        luaL_addstring(&buffer, root);
        luaL_addchar(&buffer, '/');
        luaL_addstring(&buffer, patterns[i]);
        luaL_addchar(&buffer, ';');
    }
    // The system's modules, of LuaJIT's own path and of where distributions put those of Lua 5.1.
    lua_getfield(L, -1, "path");
    luaL_addvalue(&buffer);
    luaL_addstring(&buffer, ";/usr/share/lua/5.1/?.lua;/usr/share/lua/5.1/?/init.lua");
    luaL_pushresult(&buffer);
    lua_setfield(L, -2, "path");
    lua_pop(L, 1);
}

/// Coroutines that resume each other take the C stack, whose end LuaJIT does not see: an error stands before it.
static const char coroutines[] =
    "local create, resume, running, status = coroutine.create, coroutine.resume, coroutine.running, coroutine.status\n"
    "local depths = setmetatable({}, { __mode = 'k' })\n"
    "local function go(routine, ...)\n"
    "  if type(routine) ~= 'thread' then return resume(routine, ...) end\n"
    "  local above = running()\n"
    "  local depth = (above and depths[above] or 0) + 1\n"
    "  if depth > 190 then return false, 'stack overflow: each coroutine resumes another' end\n"
    "  depths[routine] = depth\n"
    "  return resume(routine, ...)\n"
    "end\n"
    "local function pass(ok, ...)\n"
    "  if ok then return ... end\n"
    "  error((...), 0)\n"
    "end\n"
    "coroutine.resume = go\n"
    "function coroutine.wrap(f)\n"
    "  local routine = create(f)\n"
    "  return function(...)\n"
    "    if status(routine) == 'dead' then error('cannot resume dead coroutine', 2) end\n"
    "    return pass(go(routine, ...))\n"
    "  end\n"
    "end\n";

static int traceback(lua_State *L)
{
    if (!lua_isstring(L, 1)) return 1; // an exit code
    luaL_traceback(L, L, lua_tostring(L, 1), 1);
    return 1;
}

/// Takes --safe out of the arguments: the first word behind the verb.
static int take_safe(int argc, char **argv)
{
    if (argc < 3 || strcmp(argv[2], "--safe") != 0) return argc;
    safe = true;
    for (int i = 2; i + 1 < argc; i++) argv[i] = argv[i + 1];
    return argc - 1;
}

/// A standard stream that is closed gets what can't be read or written: else the next file that is opened would be it,
/// and what is said would go into a picture.
static void hold_streams(void)
{
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) != -1 || errno != EBADF) continue;
        if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) return; // the lowest that is free
    }
}

int main(int argc, char **argv)
{
    hold_streams();
    signal(SIGPIPE, SIG_IGN); // a video encoder that dies is an error of a write
    signal(SIGXFSZ, SIG_IGN); // so is a file that may grow no more
    if (!find_root(argv[0])) {
        const char *given = getenv("THATCH_ROOT");
        if (given && given[0]) {
            fprintf(stderr, "thatch: $THATCH_ROOT is '%s', need a folder with scripts/commands/init.lua in it\n",
                    given);
            return EXIT_USAGE;
        }
        fprintf(stderr, "thatch: no scripts/commands/init.lua near %s: set THATCH_ROOT\n", argv[0]);
        return EXIT_FAILURE;
    }
    const double mib = number_from("THATCH_LUA_MEMORY_MIB", 1024, 16, 1048576);
    watch.limit_s = number_from("THATCH_WATCHDOG_S", watch.limit_s, 0.01, 1000000);
    lua_State *L = new_state(mib);
    if (!L) {
        fprintf(stderr, "thatch: no memory for Lua\n");
        return EXIT_FAILURE;
    }
    luaL_openlibs(L);
    argc = take_safe(argc, argv);
    // Compiled code does not look for the watchdog.
    if (safe) luaJIT_setmode(L, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    if (luaL_loadbuffer(L, coroutines, sizeof coroutines - 1, "=coroutines") || lua_pcall(L, 0, 0, 0)) lua_pop(L, 1);
    set_paths(L);
    lua_getglobal(L, "package");
    lua_getfield(L, -1, "preload");
    lua_pushcfunction(L, open_host);
    lua_setfield(L, -2, "thatch.host");
    lua_pop(L, 2);

    watch.L = L;
    pthread_t thread;
    if (pthread_create(&thread, NULL, watch_main, NULL) == 0) pthread_detach(thread);

    lua_pushcfunction(L, traceback);
    char path[PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/scripts/commands/init.lua", root);
    int failed = luaL_loadfilex(L, path, "t");
    if (!failed) {
        for (int i = 1; i < argc; i++) lua_pushstring(L, argv[i]);
        failed = lua_pcall(L, argc - 1, 1, 1);
    }
    int code = EXIT_SUCCESS;
    if (failed) {
        fprintf(stderr, "thatch: %s\n", lua_isstring(L, -1) ? lua_tostring(L, -1) : "an error that is no text");
        code = EXIT_FAILURE;
    } else if (lua_isnumber(L, -1)) {
        code = (int)lua_tointeger(L, -1);
    }
    pthread_mutex_lock(&watch.lock); // the watchdog rests while the state closes
    lua_close(L);
    if (fflush(stdout) != 0 && code == EXIT_SUCCESS) {
        // `| head` read all that it wanted: nothing is said, but what did not arrive is no success.
        if (errno != EPIPE) fprintf(stderr, "thatch: standard output: %s\n", strerror(errno));
        code = EXIT_FAILURE;
    }
    return code;
}
