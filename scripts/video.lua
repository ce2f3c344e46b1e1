--- A video out of frames, by ffmpeg over a pipe: written aside, then renamed.
local common = require('commands.common')
local lfs = require('lfs')
local leftovers = require('leftovers')
local lib = require('thatch.lib')
local loader = require('loader')

local OLD = 3600 -- seconds: no encoder keeps its file as it is for so long
local M = {}

local open = {} -- videos that are being written

---@class Video
local Video = {}
Video.__index = Video

--- Is ffmpeg there?
function M.available()
  return common.has_program('ffmpeg')
end

--- Opens an encoder of H.264, 24 frames a second. Fails before a frame is drawn where the video can't be written.
---@param path string ends in .mp4
---@param width integer
---@param height integer
---@return Video
function M.open(path, width, height)
  local aside = ('%s.tmp.%d.mp4'):format(path, common.pid())
  local status, log = aside .. '.status', aside .. '.log'
  local mode = lfs.attributes(path, 'mode')
  if mode and mode ~= 'file' then common.fail('%s', loader.no_file(path)) end
  local folder, name = path:match('^(.*)/([^/]*)$')
  leftovers.sweep(folder == '' and '/' or folder or '.', '^' .. leftovers.literal(name or path) .. '%.tmp%.(%d+)%.mp4',
    OLD, os.remove)
  local file, why = io.open(log, 'w') -- the shell would say so in its own words
  if not file then common.fail("%s can't be written: %s", path, (why:gsub('^.*: ', ''))) end
  file:close()
  -- Sides are made even for the encoder; its exit code goes to a file, since a pipe's close does not tell it.
  local command = ('ffmpeg -nostdin -loglevel error -y -f rawvideo -pix_fmt rgba -s %dx%d -r 24 -i - ' ..
    '-vf "crop=trunc(iw/2)*2:trunc(ih/2)*2" -c:v libx264 -preset veryfast -crf 20 -pix_fmt yuv420p ' ..
    '%s 2>%s; echo $? >%s')
    :format(width, height, common.quote(aside), common.quote(log), common.quote(status))
  local pipe, message = io.popen(command, 'w')
  if not pipe then common.fail('ffmpeg: %s', message) end
  local made = setmetatable({ path = path, aside = aside, status = status, log = log, pipe = pipe }, Video)
  open[made] = true
  return made
end

local function first_line(path)
  local file = io.open(path, 'r')
  local line = file and file:read('*l')
  if file then file:close() end
  return line
end

function Video:clean()
  open[self] = nil
  os.remove(self.aside)
  os.remove(self.status)
  os.remove(self.log)
end

--- Ends what a job that has failed left open, and takes the half files away.
function M.abandon()
  for video in pairs(open) do
    pcall(video.pipe.close, video.pipe)
    video:clean()
  end
end

--- Adds a picture of RGBA bytes.
function Video:add(pixels, count)
  if lib.write(self.pipe, pixels, count) then return end
  self.pipe:close()
  local why = first_line(self.log)
  self:clean()
  common.fail('%s: the encoder went away%s', self.path, why and (': ' .. why) or '')
end

--- Ends the video and gives it its name.
function Video:finish()
  self.pipe:close()
  local code, why = first_line(self.status), first_line(self.log)
  if code ~= '0' then
    self:clean()
    common.fail('%s: the encoder failed%s', self.path, why and (': ' .. why) or '')
  end
  local ok, message = os.rename(self.aside, self.path)
  self:clean()
  if not ok then common.fail('%s', message) end
end

return M
