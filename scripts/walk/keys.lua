--- What each key does. Change it here: names are SDL's ('W', 'Left Shift', 'F5'), several may do one thing.
return {
  keys = {
    forward = { 'W', 'Up' },
    back = { 'S', 'Down' },
    left = { 'A', 'Left' },
    right = { 'D', 'Right' },
    run = { 'Left Shift', 'Right Shift' },
    jump = { 'Space' },
    use = { 'E' },
    third_person = { 'V' },
    hud = { 'Tab' },
    preset_1 = { '1' },
    preset_2 = { '2' },
    preset_3 = { '3' },
    preset_4 = { '4' },
    coarser = { '[' },
    finer = { ']' },
    reload = { 'F5' },
    screenshot = { 'F12' },
    pause = { 'P' },
    earlier = { ',' },
    later = { '.' },
    weather = { 'O' },
    next_animation = { 'N' },
    help = { 'H' },
    quit = { 'Escape' },
  },
  -- Buttons and axes of a controller, by SDL's numbers: 0 south, 1 east, 2 west, 3 north.
  pad = {
    jump = { 0 },
    use = { 2 },
    third_person = { 3 },
    run = { 7, 10 },
    hud = { 4 },
    pause = { 6 },
  },
  axes = { move_x = 0, move_y = 1, look_x = 2, look_y = 3 },
  dead_zone = 0.18,
  mouse_speed = 0.0022, -- radians a count
  pad_speed = 2.4, -- radians a second, at the full turn of the stick
  invert_y = false,
  -- For the list on the screen: action, what it does.
  help = {
    { 'forward', 'walk forward' }, { 'back', 'walk back' }, { 'left', 'step left' }, { 'right', 'step right' },
    { 'run', 'run' }, { 'jump', 'jump' }, { 'use', 'open a door, talk' }, { 'third_person', 'see the walker' },
    { 'hud', 'show figures' }, { 'preset_1', 'quality low (to 4: ultra)' }, { 'coarser', 'smaller frame' },
    { 'finer', 'larger frame' }, { 'reload', 'reload all scripts' }, { 'screenshot', 'save a picture' },
    { 'pause', 'stop the time' },
    { 'earlier', 'half an hour back' }, { 'later', 'half an hour on' }, { 'weather', 'other weather' },
    { 'next_animation', 'next animation of a model' },
    { 'help', 'this list' }, { 'quit', 'let the mouse go, then leave' },
  },
}
