--- What the villagers say: a greeting by the hour or the weather, then their own lines, each in turn.
local M = {}

-- One list a villager, in the order of routines.folk.
M.own = {
  { 'The street is dry for once.', 'I have walked this street for sixty summers. It bends a little more each year.',
    'Mind the cart by the smith. It has no brake.' },
  { 'The inn has soup on the fire. Mind the second stair.', 'There is always a bed left. There is not always a pillow.',
    'Wipe your boots, and sit where you like.' },
  { 'My grandfather laid those tiles. Hardly one has slipped.', 'I sleep when you walk, and walk when you sleep.',
    'A lantern shows you less than the moon does. It shows others you.' },
  { 'The ducks know you now. They know everyone.', 'Go round by the pond. It is longer and better.',
    'I lost a wooden spoon in that water. It never came up.' },
  { 'When the wind turns north, look at the mountains. You see every stone.', 'Oak splits clean. Elm only argues.',
    'Two more winters of wood, and then my knees may rest.' },
  { 'The well never ran dry, not even in the summer of the fires.', 'Drop a stone in and count. I make it four.',
    'They all come to the well in the end.' },
  { 'I was told the cliff sings at night. I never heard it.',
    'My cat walks to the inn each evening. I know whom it visits.',
    'Lavender by the wall, and no moth comes in.' },
  { 'Have you been down to the pond? Stand still and look at the bottom.', 'I wave at everyone. It costs nothing.',
    'The loom can wait. The light cannot.' },
  { 'Every door here is open. Only close it behind you.', 'I can whistle like a bird. They do not answer.',
    'Have you seen the fireflies? I count them. I never finish.' },
  { 'Iron does as it is told. People are harder.', 'Each hinge in this village went over my anvil.',
    'Stand back a little. Sparks choose their own way.' },
  { 'The lilies came by themselves. Nobody planted them.', 'Hay by the water dries slowly and smells best.',
    'There is a frog in there as old as I am.' },
  { 'Hay first, talk later. Well, a little talk.', 'The horse is called Thursday. Ask me on a Friday.',
    'A barn should creak. One that does not is asleep.' },
  { 'Catch me if you can!', 'I ran to the cliff and back. Nobody saw it, but I did.',
    'The hens are faster than they look.' },
  { 'After the rain the whole village smells of thyme.', 'It is quiet up here. You hear the street before you see it.',
    'Two paces more and you could hear the mountains.' },
}

-- Greetings: two of each, taken by the villager's number.
M.greetings = {
  morning = { 'Good morning. You are up early.', 'Morning. The dew is still on the roofs.' },
  day = { 'Good day to you.', 'A fine day, is it not?' },
  evening = { 'Good evening. The day is done.', 'Evening. Sit down a while.' },
  night = { 'You are out late. Mind the step.', 'Good night. The lanterns burn till morning.' },
  rain = { 'Come under the eaves, you are soaked.', 'Rain on the tiles: the best of songs, from inside.' },
}

M.asleep = 'Mmh ... not yet ...'

--- A villager's lines for each part of the day, greeting first. Made once.
function M.lines(index)
  local by = {}
  for _, part in ipairs({ 'morning', 'day', 'evening', 'night', 'rain' }) do
    local own = M.own[index]
    by[part] = { M.greetings[part][1 + index % 2], own[1], own[2], own[3] }
  end
  return by
end

--- The part of the day at an hour; rain comes before it.
function M.part(hour, rain)
  if rain and rain > 0 then return 'rain' end
  if hour < 5 or hour >= 21 then return 'night' end
  if hour < 10.5 then return 'morning' end
  return hour < 17.5 and 'day' or 'evening'
end

return M
