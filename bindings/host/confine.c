// A program for files that nobody has vouched for: Landlock keeps it in its folders, and limits keep it small and short.
// Between fork and exec the child makes plain system calls only: the parent has threads.
#include "confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <lauxlib.h>

// Landlock's interface, spelt out: the C library's headers may be older than the kernel.
enum {
    CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, // the same on every architecture
    VERSION_FLAG = 1, RULE_PATH_BENEATH = 1,
    FS_EXECUTE = 1 << 0, FS_READ_FILE = 1 << 2, FS_READ_DIR = 1 << 3,
    FS_FIRST = (1 << 13) - 1, // what the first version knows
    FS_REFER = 1 << 13, FS_TRUNCATE = 1 << 14, FS_IOCTL = 1 << 15,
    NET_TCP = 3, SCOPES = 3,
};

typedef struct Ruleset {
    uint64_t fs, net, scoped;
} Ruleset;

typedef struct __attribute__((packed)) PathRule {
    uint64_t allowed;
    int32_t fd;
} PathRule;

enum { MAX_WORDS = 64, MAX_READ = 16, MAX_FILES = 64, POLL_MS = 5 };

typedef struct Job {
    const char *words[MAX_WORDS + 1];
    const char *read[MAX_READ + 1];
    const char *write, *output;
    double memory_mib, seconds, file_mib;
} Job;

static int landlock_version(void)
{
    const long version = syscall(CREATE_RULESET, NULL, (size_t)0, (unsigned)VERSION_FLAG);
    return version > 0 ? (int)version : 0;
}

int confine_available(lua_State *L)
{
    lua_pushboolean(L, landlock_version() > 0);
    return 1;
}

// --- in the child ------------------------------------------------------------------------------------------------

static bool allow(int ruleset, const char *path, uint64_t access)
{
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return errno == ENOENT; // not every system has each of them
    const PathRule rule = {.allowed = access, .fd = fd};
    const bool good = syscall(ADD_RULE, ruleset, RULE_PATH_BENEATH, &rule, 0u) == 0;
    close(fd);
    return good;
}

static bool keep_inside(const Job *job, int version)
{
    if (version == 0) return true;
    Ruleset rules = {.fs = FS_FIRST};
    if (version >= 2) rules.fs |= FS_REFER;
    if (version >= 3) rules.fs |= FS_TRUNCATE;
    if (version >= 5) rules.fs |= FS_IOCTL;
    if (version >= 4) rules.net = NET_TCP;
    if (version >= 6) rules.scoped = SCOPES;
    const int ruleset = (int)syscall(CREATE_RULESET, &rules, sizeof rules, 0u);
    if (ruleset < 0) return false;
    static const char *const system_folders[] = {"/usr", "/lib", "/lib64", "/bin"};
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; i++) {
        if (!allow(ruleset, system_folders[i], FS_EXECUTE | FS_READ_FILE | FS_READ_DIR)) return false;
    }
    if (!allow(ruleset, "/etc/ld.so.cache", FS_READ_FILE)) return false;
    for (int i = 0; job->read[i]; i++) {
        if (!allow(ruleset, job->read[i], FS_READ_FILE | FS_READ_DIR)) return false;
    }
    if (!allow(ruleset, job->write, rules.fs & ~(uint64_t)FS_EXECUTE)) return false;
    const bool good = syscall(RESTRICT_SELF, ruleset, 0u) == 0;
    close(ruleset);
    return good;
}

static bool limit(int what, double value, double hard)
{
    const struct rlimit l = {.rlim_cur = (rlim_t)value, .rlim_max = (rlim_t)hard};
    return setrlimit(what, &l) == 0;
}

static bool set_limits(const Job *job)
{
    const double memory = job->memory_mib * 1048576.0, file = job->file_mib * 1048576.0;
    // The soft limit of time ends it by SIGXCPU; at a hard one it would be SIGKILL, which others send too.
    return limit(RLIMIT_AS, memory, memory) && limit(RLIMIT_CPU, job->seconds, job->seconds + 1) &&
           limit(RLIMIT_FSIZE, file, file) && limit(RLIMIT_NOFILE, MAX_FILES, MAX_FILES) && limit(RLIMIT_CORE, 0, 0);
}

static bool set_streams(const char *output, int keep)
{
    const int in = open("/dev/null", O_RDONLY);
    const int out = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (in < 0 || out < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0) return false;
    for (int fd = 3; fd < 4096; fd++) {
        if (fd != keep) close(fd);
    }
    return true;
}

/// Comes back only when something is wrong; the reason is in errno.
static void become(const Job *job, int version, int report)
{
    static char *const environment[] = {"PATH=/usr/bin:/bin", "LANG=C", "LC_ALL=C", NULL};
    static const int signals[] = {SIGINT, SIGTERM, SIGPIPE, SIGXCPU, SIGXFSZ};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) signal(signals[i], SIG_DFL);
    setpgid(0, 0);
    if (!set_streams(job->output, report) || chdir(job->write) != 0) return;
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return;
    if (!keep_inside(job, version) || !set_limits(job)) return;
    execve(job->words[0], (char *const *)(uintptr_t)job->words, environment);
}

// --- in the parent -----------------------------------------------------------------------------------------------

/// Waits until the child ends; false when its time was over (or ctrl-C came) and it was killed.
static bool wait_for(pid_t child, double seconds, int *status)
{
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (;;) {
        const pid_t ended = waitpid(child, status, WNOHANG);
        if (ended == child) return true;
        const bool stopped = nanosleep(&(struct timespec){.tv_nsec = POLL_MS * 1000000L}, NULL) != 0;
        clock_gettime(CLOCK_MONOTONIC, &now);
        const double passed = (double)(now.tv_sec - begin.tv_sec) + (double)(now.tv_nsec - begin.tv_nsec) * 1e-9;
        if (!stopped && passed < seconds && ended == 0) continue;
        kill(-child, SIGKILL);
        kill(child, SIGKILL);
        waitpid(child, status, 0);
        return false;
    }
}

static const char *text_field(lua_State *L, const char *key)
{
    lua_getfield(L, 2, key);
    const char *text = lua_tostring(L, -1);
    if (!text) luaL_error(L, "confined: %s is no string", key);
    return text; // stays on the stack, and so alive
}

static double number_field(lua_State *L, const char *key)
{
    lua_getfield(L, 2, key);
    const double value = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!(value >= 1 && value <= 1048576)) luaL_error(L, "confined: %s is no number of 1 .. 1048576", key);
    return value;
}

static void text_list(lua_State *L, int table, const char **out, int most, const char *what)
{
    const int count = (int)lua_objlen(L, table);
    if (count > most) luaL_error(L, "confined: %s has more than %d entries", what, most);
    luaL_checkstack(L, count + 8, what);
    for (int i = 0; i < count; i++) {
        lua_rawgeti(L, table, i + 1);
        out[i] = lua_tostring(L, -1);
        if (!out[i]) luaL_error(L, "confined: %s has an entry that is no string", what);
    }
    out[count] = NULL;
}

static void read_job(lua_State *L, Job *job)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_checktype(L, 2, LUA_TTABLE);
    job->write = text_field(L, "write"), job->output = text_field(L, "output");
    job->memory_mib = number_field(L, "memory_mib"), job->seconds = number_field(L, "seconds");
    job->file_mib = number_field(L, "file_mib");
    text_list(L, 1, job->words, MAX_WORDS, "words");
    if (!job->words[0]) luaL_error(L, "confined: words is empty");
    lua_getfield(L, 2, "read");
    luaL_checktype(L, -1, LUA_TTABLE);
    text_list(L, lua_gettop(L), job->read, MAX_READ, "read");
}

static int failed(lua_State *L, int reason)
{
    lua_pushnil(L);
    lua_pushstring(L, strerror(reason));
    return 2;
}

int confine_run(lua_State *L)
{
    Job job;
    read_job(L, &job);
    const int version = landlock_version();
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) return failed(L, errno);
    const pid_t child = fork();
    if (child < 0) {
        const int reason = errno;
        close(report[0]), close(report[1]);
        return failed(L, reason);
    }
    if (child == 0) {
        become(&job, version, report[1]);
        const int reason = errno;
        if (write(report[1], &reason, sizeof reason) < 0) _exit(126);
        _exit(127);
    }
    close(report[1]);
    int status = 0, reason = 0;
    const bool in_time = wait_for(child, job.seconds * 2, &status);
    const bool told = read(report[0], &reason, sizeof reason) == (ssize_t)sizeof reason;
    close(report[0]);
    if (told) return failed(L, reason);
    if (!in_time || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
        lua_pushliteral(L, "time");
        return 1;
    }
    lua_pushstring(L, WIFEXITED(status) ? "exit" : "signal");
    lua_pushinteger(L, WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
    return 2;
}
