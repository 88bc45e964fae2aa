-- Garbage with finalizers, in every Lua.
local finalizers = {}

-- Garbage whose finalizer calls a function.
function finalizers.plant(finalizer)
  if newproxy then
    getmetatable(newproxy(true)).__gc = finalizer
  else
    setmetatable({}, {__gc = finalizer})
  end
end

-- Round and round, wherever anything is allocated, or as it is at first.
local function set_collector(eager)
  if _VERSION == "Lua 5.4" then
    collectgarbage("incremental", eager and 1 or 200, eager and 1000 or 100, eager and 1 or 13)
  else
    collectgarbage("setpause", eager and 0 or 200)
    collectgarbage("setstepmul", eager and 1000000 or 200)
  end
end

-- Calls something again and again with a function arm(harm, after): from then on, until arm(nil), a finalizer runs
-- wherever anything is allocated, and from the one after so many on calls harm(), until that goes well. Until it did
-- `enough` times, or the call returns true; says how often it did.
function finalizers.pester(enough, call)
  local harm, delay, over, done = nil, 0, false, 0
  local function finalizer()
    if over then return end
    finalizers.plant(finalizer)
    if not harm then return end
    delay = delay - 1
    if delay < 0 and pcall(harm) then done, harm = done + 1, nil end
  end
  local function arm(f, after)
    harm = nil
    set_collector(f ~= nil)
    if f then collectgarbage() end -- otherwise the pause is that of before
    harm, delay = f, after or 0
  end
  for _ = 1, 3 do finalizers.plant(finalizer) end
  for i = 1, 100000 do
    local noise = {("x"):rep(i % 97)} -- otherwise the collector is where it was, each time
    local ends = call(arm, noise)
    arm(nil)
    if ends or done >= enough then break end
  end
  over = true
  return done
end

return finalizers
