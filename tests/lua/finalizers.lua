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

-- Calls something again and again with a function arm(harm): afterwards, when anything is allocated, a finalizer may
-- call harm(). Until that went well `enough` times; says how often it did.
function finalizers.pester(enough, call)
  local harm, over, done = nil, false, 0
  local function finalizer()
    if over then return end
    finalizers.plant(finalizer)
    if not harm then return end
    if pcall(harm) then done, harm = done + 1, nil end
  end
  local pause, multiplier = collectgarbage("setpause", 1), collectgarbage("setstepmul", 10000)
  for _ = 1, 50 do finalizers.plant(finalizer) end
  for i = 1, 100000 do
    local noise = {("x"):rep(i % 97)} -- otherwise the collector is where it was, each time
    call(function(f) harm = f end, noise)
    harm = nil
    if done >= enough then break end
  end
  over = true
  collectgarbage("setpause", pause)
  collectgarbage("setstepmul", multiplier)
  return done
end

return finalizers
