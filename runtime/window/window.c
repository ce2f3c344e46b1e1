// The window, over SDL2: a software surface that finished pictures are copied to, and events as flat structs. SDL is
// started with the first window and stopped with the last; headless work never touches it.
#include "base/check.h"
#include "base/memory.h"
#include "base/pool.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PADS_MAX = 8 };

typedef struct Window {
    uint32_t handle;
    SDL_Window *sdl;
    int32_t *columns; // of the picture, for each of the window's: room for stretching
    int32_t column_capacity;
} Window;

static Pool window_pool = {.noun = "window", .kind = KIND_WINDOW, .item_size = sizeof(Window)};
static SDL_GameController *pads[PADS_MAX];

// --- the display ---

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && value[0];
}

/// The refusal of an environment: what is set in it, and why that is no display.
static int32_t no_display(const char *why)
{
    static const char *const names[] = {"DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER"};
    char said[256] = "";
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!is_set(names[i])) continue;
        const size_t length = strlen(said);
        snprintf(said + length, sizeof said - length, "%s%s is '%.60s'", length ? ", " : "", names[i],
                 getenv(names[i]));
    }
    if (!said[0]) snprintf(said, sizeof said, "DISPLAY and WAYLAND_DISPLAY are not set");
    return error_set(THATCH_ERROR_SYSTEM, "window: %s, need a display that answers%s%s%s", said, why[0] ? " (" : "",
                     why, why[0] ? ")" : "");
}

// --- SDL's start and stop ---

static void open_pad(int index)
{
    if (!SDL_IsGameController(index)) return;
    for (int i = 0; i < PADS_MAX; i++) {
        if (pads[i]) continue;
        pads[i] = SDL_GameControllerOpen(index);
        return;
    }
}

static void close_pad(SDL_JoystickID id)
{
    for (int i = 0; i < PADS_MAX; i++) {
        if (!pads[i] || SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pads[i])) != id) continue;
        SDL_GameControllerClose(pads[i]);
        pads[i] = NULL;
    }
}

static int32_t start_video(void)
{
    if (SDL_WasInit(SDL_INIT_VIDEO)) return THATCH_OK;
    if (!is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY") && !is_set("SDL_VIDEODRIVER")) return no_display("");
    SDL_SetMainReady();
    SDL_SetHint(SDL_HINT_NO_SIGNAL_HANDLERS, "1");       // they are the host's
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0"); // else the surface goes through OpenGL: 100 MB and more
    SDL_SetHint(SDL_HINT_VIDEO_X11_NET_WM_BYPASS_COMPOSITOR, "0");
    // The one that is named is tried: the others would complain on standard error.
    if (!is_set("WAYLAND_DISPLAY")) SDL_SetHint(SDL_HINT_VIDEODRIVER, "x11");
    if (!is_set("DISPLAY")) SDL_SetHint(SDL_HINT_VIDEODRIVER, "wayland");
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return no_display(is_set("SDL_VIDEODRIVER") ? SDL_GetError() : "");
    // Where no display answers, SDL may go on without one: nobody would see the window. Who wants that names it.
    const char *driver = SDL_GetCurrentVideoDriver();
    const bool shown = driver && strcmp(driver, "offscreen") != 0 && strcmp(driver, "dummy") != 0;
    if (!shown && !is_set("SDL_VIDEODRIVER")) {
        SDL_Quit();
        return no_display("");
    }
    // A missing joystick service is no reason to have no window. Its events open the pads.
    SDL_InitSubSystem(SDL_INIT_GAMECONTROLLER);
    return THATCH_OK;
}

static void stop_video(void)
{
    if (window_pool.live_count > 0) return;
    for (int i = 0; i < PADS_MAX; i++) {
        if (pads[i]) SDL_GameControllerClose(pads[i]);
        pads[i] = NULL;
    }
    SDL_Quit();
}

// --- events ---

static void copy_key(ThatchEvent *event, SDL_Keycode key)
{
    snprintf(event->key, sizeof event->key, "%s", SDL_GetKeyName(key));
}

// False when the event is none that scripts see.
static bool convert_window_event(const Window *window, const SDL_WindowEvent *from, ThatchEvent *to)
{
    if (from->windowID != SDL_GetWindowID(window->sdl)) return false;
    switch (from->event) {
    case SDL_WINDOWEVENT_SIZE_CHANGED:
        to->kind = THATCH_EVENT_RESIZE, to->x = from->data1, to->y = from->data2;
        return true;
    case SDL_WINDOWEVENT_FOCUS_GAINED:
    case SDL_WINDOWEVENT_FOCUS_LOST:
        to->kind = THATCH_EVENT_FOCUS, to->x = from->event == SDL_WINDOWEVENT_FOCUS_GAINED;
        return true;
    case SDL_WINDOWEVENT_CLOSE:
        to->kind = THATCH_EVENT_QUIT;
        return true;
    }
    return false;
}

static bool convert(const Window *window, const SDL_Event *from, ThatchEvent *to)
{
    *to = (ThatchEvent){0};
    switch (from->type) {
    case SDL_QUIT:
        to->kind = THATCH_EVENT_QUIT;
        return true;
    case SDL_KEYDOWN:
    case SDL_KEYUP:
        to->kind = from->type == SDL_KEYDOWN ? THATCH_EVENT_KEY_DOWN : THATCH_EVENT_KEY_UP;
        to->repeat = from->key.repeat != 0;
        copy_key(to, from->key.keysym.sym);
        return true;
    case SDL_MOUSEMOTION:
        to->kind = THATCH_EVENT_MOUSE_MOVE, to->x = from->motion.xrel, to->y = from->motion.yrel;
        return true;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        to->kind = from->type == SDL_MOUSEBUTTONDOWN ? THATCH_EVENT_MOUSE_DOWN : THATCH_EVENT_MOUSE_UP;
        to->button = from->button.button, to->x = from->button.x, to->y = from->button.y;
        return true;
    case SDL_MOUSEWHEEL:
        to->kind = THATCH_EVENT_WHEEL, to->x = from->wheel.x, to->y = from->wheel.y;
        return true;
    case SDL_WINDOWEVENT:
        return convert_window_event(window, &from->window, to);
    case SDL_CONTROLLERDEVICEADDED:
        open_pad(from->cdevice.which);
        return false;
    case SDL_CONTROLLERDEVICEREMOVED:
        close_pad(from->cdevice.which);
        return false;
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
        to->kind = from->type == SDL_CONTROLLERBUTTONDOWN ? THATCH_EVENT_PAD_BUTTON_DOWN : THATCH_EVENT_PAD_BUTTON_UP;
        to->button = from->cbutton.button;
        return true;
    case SDL_CONTROLLERAXISMOTION:
        to->kind = THATCH_EVENT_PAD_AXIS, to->button = from->caxis.axis;
        to->value = from->caxis.value < 0 ? (float)from->caxis.value / 32768.0f : (float)from->caxis.value / 32767.0f;
        return true;
    }
    return false;
}

// --- pictures ---

// From r, g, b, a bytes to the format that all but every X11 and Wayland surface has: b, g, r, unused.
static void copy_row_bgrx(uint32_t *restrict to, const uint32_t *restrict from, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const uint32_t texel = from[i];
        to[i] = (texel & 0xff00ff00u) | (texel << 16 & 0xff0000u) | (texel >> 16 & 0xffu);
    }
}

static void stretch_row_bgrx(uint32_t *restrict to, const uint32_t *restrict from, const int32_t *columns,
                             int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const uint32_t texel = from[columns[i]];
        to[i] = (texel & 0xff00ff00u) | (texel << 16 & 0xff0000u) | (texel >> 16 & 0xffu);
    }
}

static bool is_bgrx(const SDL_PixelFormat *format)
{
    return SDL_BYTEORDER == SDL_LIL_ENDIAN && format->BytesPerPixel == 4 && format->Rmask == 0xff0000u &&
           format->Gmask == 0xff00u && format->Bmask == 0xffu;
}

static int32_t copy_bgrx(Window *window, SDL_Surface *surface, const uint8_t *rgba, int32_t width, int32_t height)
{
    const bool stretched = surface->w != width;
    if (stretched) {
        int32_t *columns = memory_room(window->columns, &window->column_capacity, surface->w, sizeof *columns);
        if (!columns) return error_set(THATCH_ERROR_MEMORY, "window: memory is short");
        window->columns = columns;
        for (int32_t i = 0; i < surface->w; i++) columns[i] = (int32_t)((int64_t)i * width / surface->w);
    }
    for (int32_t y = 0; y < surface->h; y++) {
        const int32_t row = surface->h == height ? y : (int32_t)((int64_t)y * height / surface->h);
        const uint32_t *from = (const uint32_t *)(const void *)(rgba + (size_t)row * (size_t)width * 4);
        uint32_t *to = (uint32_t *)(void *)((uint8_t *)surface->pixels + (size_t)y * (size_t)surface->pitch);
        if (stretched)
            stretch_row_bgrx(to, from, window->columns, surface->w);
        else
            copy_row_bgrx(to, from, width);
    }
    return THATCH_OK;
}

// Any other format, by SDL.
static int32_t copy_converted(SDL_Surface *surface, const uint8_t *rgba, int32_t width, int32_t height)
{
    SDL_Surface *picture = SDL_CreateRGBSurfaceWithFormatFrom((void *)(uintptr_t)rgba, width, height, 32, 4 * width,
                                                              SDL_PIXELFORMAT_RGBA32);
    if (!picture) return error_set(THATCH_ERROR_MEMORY, "window: %s", SDL_GetError());
    SDL_SetSurfaceBlendMode(picture, SDL_BLENDMODE_NONE);
    const int failed = surface->w == width && surface->h == height ? SDL_BlitSurface(picture, NULL, surface, NULL)
                                                                   : SDL_BlitScaled(picture, NULL, surface, NULL);
    SDL_FreeSurface(picture);
    return failed ? error_set(THATCH_ERROR_SYSTEM, "window: the picture can't be copied: %s", SDL_GetError())
                  : THATCH_OK;
}

static int32_t present_once(Window *window, const uint8_t *rgba, int32_t width, int32_t height)
{
    SDL_Surface *surface = SDL_GetWindowSurface(window->sdl); // never kept: a resize makes a new one
    if (!surface) return error_set(THATCH_ERROR_SYSTEM, "window: no surface: %s", SDL_GetError());
    if (SDL_MUSTLOCK(surface) && SDL_LockSurface(surface) != 0) {
        return error_set(THATCH_ERROR_SYSTEM, "window: the surface can't be locked: %s", SDL_GetError());
    }
    const bool direct = is_bgrx(surface->format) && (uintptr_t)rgba % 4 == 0;
    int32_t status = direct ? copy_bgrx(window, surface, rgba, width, height) : THATCH_OK;
    if (SDL_MUSTLOCK(surface)) SDL_UnlockSurface(surface);
    if (!direct) status = copy_converted(surface, rgba, width, height);
    TRY(status);
    if (SDL_UpdateWindowSurface(window->sdl) == 0) return THATCH_OK;
    return error_set(THATCH_ERROR_SYSTEM, "window: the picture can't be shown: %s", SDL_GetError());
}

// --- public ---

bool thatch_window_available(void)
{
    if (start_video() != THATCH_OK) return false;
    stop_video();
    return true;
}

int32_t thatch_window_create(const char *title, int32_t width, int32_t height, ThatchWindow *out)
{
    CHECK_NOT_NULL(out, "window", "out");
    *out = 0;
    CHECK_INT_RANGE(width, THATCH_MIN_FRAME_SIDE, THATCH_MAX_FRAME_SIDE, "window", "width");
    CHECK_INT_RANGE(height, THATCH_MIN_FRAME_SIDE, THATCH_MAX_FRAME_SIDE, "window", "height");
    TRY(start_video());
    Window *window = pool_add(&window_pool, out);
    if (!window) {
        stop_video();
        return error_last_code();
    }
    window->handle = *out;
    window->sdl = SDL_CreateWindow(title ? title : "thatch", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, width,
                                   height, SDL_WINDOW_RESIZABLE);
    if (window->sdl) return THATCH_OK;
    error_set(THATCH_ERROR_SYSTEM, "window: it can't be opened: %s", SDL_GetError());
    thatch_window_destroy(*out);
    *out = 0;
    return THATCH_ERROR_SYSTEM;
}

void thatch_window_destroy(ThatchWindow handle)
{
    Window *window = pool_find(&window_pool, handle);
    if (!window) return;
    if (window->sdl) SDL_DestroyWindow(window->sdl);
    memory_free(window->columns);
    pool_remove(&window_pool, handle);
    stop_video();
}

bool thatch_window_is_valid(ThatchWindow handle)
{
    return pool_find(&window_pool, handle) != NULL;
}

int32_t thatch_window_poll(ThatchWindow handle, ThatchEvent *events, int32_t capacity, int32_t *count)
{
    CHECK_NOT_NULL(count, "window_poll", "count");
    *count = 0;
    Window *window = pool_get(&window_pool, handle, "window_poll");
    if (!window) return THATCH_ERROR_STALE;
    CHECK_ARG(capacity >= 0, "window_poll: capacity is %d, need 0 or more", capacity);
    CHECK_ARG(events || capacity == 0, "window_poll: events is null, need room for %d", capacity);
    SDL_Event event;
    while (*count < capacity && SDL_PollEvent(&event)) { // what has no room stays for the next poll
        if (convert(window, &event, &events[*count])) ++*count;
    }
    return THATCH_OK;
}

int32_t thatch_window_size(ThatchWindow handle, int32_t *width, int32_t *height)
{
    CHECK_ARG(width && height, "window_size: out is null, need width and height");
    const Window *window = pool_get(&window_pool, handle, "window_size");
    if (!window) return THATCH_ERROR_STALE;
    int w, h;
    SDL_GetWindowSize(window->sdl, &w, &h);
    *width = w, *height = h;
    return THATCH_OK;
}

int32_t thatch_window_present(ThatchWindow handle, const uint8_t *rgba, int32_t width, int32_t height)
{
    Window *window = pool_get(&window_pool, handle, "window_present");
    if (!window) return THATCH_ERROR_STALE;
    CHECK_NOT_NULL(rgba, "window_present", "rgba");
    CHECK_INT_RANGE(width, 1, THATCH_MAX_FRAME_SIDE, "window_present", "width");
    CHECK_INT_RANGE(height, 1, THATCH_MAX_FRAME_SIDE, "window_present", "height");
    // A resize that SDL has seen but not we makes the update fail once: the surface is then asked for again.
    if (present_once(window, rgba, width, height) == THATCH_OK) return THATCH_OK;
    return present_once(window, rgba, width, height);
}

int32_t thatch_window_capture_mouse(ThatchWindow handle, bool on)
{
    const Window *window = pool_get(&window_pool, handle, "window_capture_mouse");
    if (!window) return THATCH_ERROR_STALE;
    if (SDL_SetRelativeMouseMode(on ? SDL_TRUE : SDL_FALSE) == 0) return THATCH_OK;
    return error_set(THATCH_ERROR_SYSTEM, "window: the mouse can't be captured: %s", SDL_GetError());
}

int32_t thatch_window_set_title(ThatchWindow handle, const char *title)
{
    const Window *window = pool_get(&window_pool, handle, "window_set_title");
    if (!window) return THATCH_ERROR_STALE;
    CHECK_NOT_NULL(title, "window_set_title", "title");
    SDL_SetWindowTitle(window->sdl, title);
    return THATCH_OK;
}

int32_t thatch_window_copy(ThatchWindow handle, const char *text)
{
    if (!pool_get(&window_pool, handle, "window_copy")) return THATCH_ERROR_STALE;
    CHECK_NOT_NULL(text, "window_copy", "text");
    if (SDL_SetClipboardText(text) == 0) return THATCH_OK;
    return error_set(THATCH_ERROR_SYSTEM, "window: the clipboard can't be written: %s", SDL_GetError());
}
