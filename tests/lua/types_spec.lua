-- library/graze.lua tells editors the types of arguments and results: what it allows is taken, what it forbids is
-- refused, at its place, and what comes back is what it says. Functions of any number of arguments are left out.
local graze = require "graze"
local read = require("support").read
local unpack = table.unpack or unpack -- luacheck: ignore

-- ---- Types ----

-- The words of a type at the beginning of a text: "number", '"auto"', "{}" (lists, too), "fun", "graze.shape".
local function words_of(text)
  local words, at = {}, 1
  repeat
    local word = text:match("^fun%b()", at) or text:match("^%(fun%b() *:[^()]*%)", at) or text:match("^%b{}", at) or
                 text:match('^"[^"]*"', at) or text:match("^[%w_.]+", at)
    at = at + #word
    if word:find "^fun" then
      local result = text:match("^: *[%w_.?]+", at) or ""
      at, word = at + #result, "fun"
      while text:find("^, *[%w_.?]+", at) do at = select(2, text:find("^, *[%w_.?]+", at)) + 1 end
    elseif word:find "^%(fun" then
      word = "fun"
    end
    while text:sub(at, at + 1) == "[]" do at, word = at + 2, "{}" end
    if text:sub(at, at) == "?" then
      at = at + 1
      words[#words + 1] = "nil"
    end
    words[#words + 1] = word:find "^{" and "{}" or word
    local bar = text:match("^ *| *", at)
    at = at + #(bar or "")
  until not bar
  return words
end

local aliases = {
  ["graze.vec"] = {"{}"}, ["graze.points"] = {"{}"}, ["graze.motion"] = {"{}"}, ["graze.option_table"] = {"{}"},
  ["graze.outline_options"] = {"{}"}, ["graze.body_def"] = {"{}"}, ["graze.snapshot"] = {"{}"},
  ["graze.world_options"] = {"{}"}, table = {"{}"},
  ["graze.hull_report"] = {"{}"}, ["graze.outline_report"] = {"{}"}, ["graze.decomposition"] = {"{}"},
}

local text = read "bindings/lua/library/graze.lua"
for name, list in text:gmatch "\n%-%-%-@alias (graze%.%w+) ([^\n]+)" do
  aliases[name] = aliases[name] or words_of(list)
end

-- Word -> true, of all that a type allows.
local function allowed(type_text)
  local set = {}
  local function allow(words)
    for _, word in ipairs(words) do
      if aliases[word] then allow(aliases[word]) else set[word] = true end
    end
  end
  allow(words_of(type_text))
  return set
end

-- As a message tells it, in every Lua.
local function name_of(object) return select(2, pcall(graze.circle, object)):match "got a (graze%.%w+)" end

local function fits(value, set)
  local kind = type(value)
  if set.any or set[kind] and kind ~= "userdata" then return true end
  if kind == "number" then return set[tostring(value)] or set.integer and value % 1 == 0 end
  if kind == "string" then return set['"' .. value .. '"'] end
  if kind == "table" then return set["{}"] end
  if kind == "function" then return set.fun end
  if kind == "userdata" then
    for word in pairs(set) do
      if word == name_of(value) then return true end
    end
  end
  return false
end

-- ---- Functions ----

local functions = {}
do
  local parameters, results = {}, {}
  for line in text:gmatch "([^\n]*)\n" do
    local name, optional, rest = line:match "^%-%-%-@param ([%w_.]+)(%??) (.*)$"
    local result = line:match "^%-%-%-@return (.*)$"
    local class, separator, member = line:match "^function (%w+)([.:])([%w_]+)%("
    if name then
      parameters[#parameters + 1] = {name = name, optional = optional ~= "", set = allowed(rest), open = name == "..."}
    elseif result then
      results[#results + 1] = {set = allowed(result), open = result:find("...", 1, true) ~= nil}
    elseif class then
      local open = #parameters > 0 and parameters[#parameters].open
      if not open then
        functions[#functions + 1] = {class = class, name = member, method = separator == ":", parameters = parameters,
                                     results = results}
      end
      parameters, results = {}, {}
    elseif not line:find "^%-%-%-" then
      parameters, results = {}, {}
    end
  end
end

-- What every call finds: new, as calls free and fill things. In worlds all is 2D.
local function room(dim)
  local world = graze.world()
  local shape = dim == 2 and graze.polygon {0, 0, 1, 0, 0, 1} or graze.box(1, 1, 1)
  local place = dim == 2 and shape:at(0, 0) or shape:at(0, 0, 0)
  local there = dim == 2 and shape:at(0.2, 0) or shape:at(1.5, 0, 0)
  world:add("item", graze.circle(1), 0, 0)
  world:add("other", graze.circle(1), 1.5, 0)
  local r = {["graze.shape"] = shape, ["graze.placed"] = place, ["graze.answer"] = graze.answer(),
             ["graze.impact"] = graze.impact(), ["graze.world"] = world, there = there}
  graze.distance(place, there, nil, r["graze.answer"])
  graze.cast(place, there, {}, nil, r["graze.impact"])
  return r
end

-- What is asked by names rather than types.
local named = {
  item = function() return "item" end,
  other = function() return "other" end,
  b = function(r) return r.there end,
  list = function(r) return {r["graze.placed"], r.there} end,
  parts = function(r) return {r["graze.placed"]} end,
  points = function() return {{0, 0}, {1, 0}, {0, 1}} end,
  vertices = function() return {0, 0, 1, 0, 0, 1} end,
  snapshot = function(r) return r["graze.world"]:save() end,
  dim = function() return 2 end,
}

local function sample(parameter, r)
  if named[parameter.name] then return named[parameter.name](r) end
  for word in pairs(parameter.set) do
    if r[word] then return r[word] end
  end
  local set = parameter.set
  if set.number or set.integer then return 1 end
  if set.boolean then return true end
  if set.string then return "word" end
  if set.fun then return function(dx, dy) return dx, dy end end
  if set["{}"] then return {} end
  for word in pairs(set) do
    local literal = word:match '^"(.*)"$'
    if literal then return literal end
  end
end

-- The function, its arguments, how many, and where those of the annotation begin.
local function prepare(f)
  local dim = (f.class == "world" or f.method and f.class == "placed") and 2 or 3
  local r = room(dim)
  local object = f.method and r["graze." .. f.class] or graze
  local arguments, before = {}, 0
  if f.method then arguments[1], before = object, 1 end
  for i, parameter in ipairs(f.parameters) do arguments[before + i] = sample(parameter, r) end
  return object[f.name], arguments, before + #f.parameters, before
end

local function wrong_values()
  return {"nonsense", 0.3, true, {}, print, io.stdout, coroutine.create(function() end), graze.world(), graze.answer(),
          graze.circle(1), graze.circle(1):at(0, 0), graze.impact()}
end

-- The keys of nothing are wrong nowhere, and the same table is a list of nothing, options and more.
local function is_wrong(value, parameter)
  if parameter.optional and value == nil then return false end
  return not fits(value, parameter.set)
end

describe("types", function()
  it("that are allowed are taken, and what comes back is what is said", function()
    local calls, returned = 0, 0
    for _, f in ipairs(functions) do
      local name = f.class .. "." .. f.name
      local call, arguments, count = prepare(f)
      local got = {pcall(call, unpack(arguments, 1, count))}
      assert.is_true(got[1], name .. ": " .. tostring(got[2]))
      calls = calls + 1
      for i, result in ipairs(f.results) do
        if result.open then break end
        returned = returned + 1
        assert.is_truthy(fits(got[i + 1], result.set), ("%s: result %d is %s"):format(name, i, tostring(got[i + 1])))
      end
      if #f.results == 0 then assert.is_nil(got[2], name) end
    end
    assert.is_true(calls > 60 and returned > 80, ("%d calls, %d results"):format(calls, returned))
  end)

  it("that are forbidden are refused, at their place", function()
    local refused = 0
    for _, f in ipairs(functions) do
      for i, parameter in ipairs(f.parameters) do
        for _, value in ipairs(wrong_values()) do
          if is_wrong(value, parameter) then
            local name = ("%s.%s with %s as %s"):format(f.class, f.name, tostring(value), parameter.name)
            local call, arguments, count, before = prepare(f)
            arguments[before + i] = value
            local good, message = pcall(call, unpack(arguments, 1, count))
            assert.is_false(good, name)
            assert.is_truthy(message:find(("bad argument #%d to"):format(before + i), 1, true), name .. ": " .. message)
            refused = refused + 1
          end
        end
      end
    end
    assert.is_true(refused > 900, refused)
  end)
end)
