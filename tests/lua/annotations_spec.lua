-- library/graze.lua tells editors what the module has: neither more, nor less, nor other arguments.
local graze = require "graze"
local read = require("support").read

local text = read "bindings/lua/library/graze.lua"

-- Class -> name -> how many parameters, self included; "…" where they are open.
local declared = {graze = {}}
-- The same -> how messages tell them: "a, b [, options [, answer]]".
local usages = {}

local function usage_of(names, is_optional)
  local usage, open = "", 0
  for i, name in ipairs(names) do
    if is_optional[name] then usage, open = usage .. (i > 1 and " [" or "["), open + 1 end
    usage = usage .. (i > 1 and ", " or "") .. name
  end
  return usage .. ("]"):rep(open)
end

do
  local is_optional = {}
  for line in text:gmatch "([^\n]*)\n" do
    local parameter, mark = line:match "^%-%-%-@param ([%w_]+)(%??) "
    local class, separator, name, parameters = line:match "^function (%w+)([.:])([%w_]+)%((.-)%) end"
    if parameter then is_optional[parameter] = mark == "?" end
    if class then
      local names = {separator == ":" and class or nil}
      for word in parameters:gmatch "[%w_.]+" do names[#names + 1] = word end
      declared[class], usages[class] = declared[class] or {}, usages[class] or {}
      declared[class][name] = names[#names] == "..." and "…" or #names
      usages[class][name] = usage_of(names, is_optional)
      is_optional = {}
    end
  end
end

-- The module and placed shapes have the questions.
local questions = declared.questions
declared.questions = nil
for name, parameters in pairs(questions) do
  declared.graze[name], declared.placed[name] = parameters, parameters
  usages.graze[name], usages.placed[name] = usages.questions[name], usages.questions[name]
end

local objects = {
  shape = graze.circle(1), placed = graze.circle(1):at(0, 0), answer = graze.answer(), impact = graze.impact(),
  world = graze.world(),
}
graze.distance(objects.placed, graze.circle(1):at(3, 0), nil, objects.answer)
graze.cast(objects.placed, graze.circle(1):at(3, 0), {velocity_a = {3, 0}}, nil, objects.impact)
objects.world:add("item", graze.circle(1), 0, 0)

-- The methods that an object has, as far as names that are known anywhere go: metatables are hidden.
local function methods_of(object)
  local index = debug.getmetatable(object).__index
  if type(index) == "table" then return index end
  local found = {}
  for _, names in pairs(declared) do
    for name in pairs(names) do
      local there, member = pcall(function() return object[name] end)
      if there and type(member) == "function" then found[name] = member end
    end
  end
  return found
end

-- What a function says to so many arguments.
local function message_of(f, first, count)
  local arguments = {first}
  for i = 2, count do arguments[i] = false end
  local good, message = pcall(f, (unpack or table.unpack)(arguments, 1, count))
  return not good and tostring(message) or nil
end

-- How many arguments a function takes at most, by its own word.
local function most_arguments(f, first)
  local message = message_of(f, first, 30)
  return message:find("no arguments expected", 1, true) and 0 or tonumber(message:match "(%d+) arguments? expected")
end

-- Calls visit(f, class, name, parameters, first) for every function and method; `first` is a good first argument.
local function each(visit)
  for class, names in pairs(declared) do
    for name, parameters in pairs(names) do
      local f = class == "graze" and graze[name] or objects[class][name]
      local first = objects[class]
      if class == "graze" or class == "placed" then first = graze.sphere(1):at(0, 0, 0) end -- 3D: z is declared
      visit(f, class, name, parameters, first)
    end
  end
end

describe("annotations", function()
  it("name every function of the module", function()
    for name, f in pairs(graze) do
      assert.is_truthy(declared.graze[name], "graze." .. name .. " is not declared")
      assert.are.equal("function", type(f))
    end
    for name in pairs(declared.graze) do assert.is_function(graze[name], "there is no graze." .. name) end
  end)

  for class, object in pairs(objects) do
    it("name every method of " .. class, function()
      local own, count = methods_of(object), 0
      for name in pairs(own) do
        assert.is_truthy(declared[class][name], class .. ":" .. name .. " is not declared")
        count = count + 1
      end
      for name in pairs(declared[class]) do assert.is_function(own[name], ("there is no %s:%s"):format(class, name)) end
      assert.is_true(count >= 4)
    end)
  end

  it("name as many parameters as there are", function()
    local checked = 0
    each(function(f, class, name, parameters, first)
      if parameters == "…" then return end
      checked = checked + 1
      assert.are.equal(parameters, most_arguments(f, first), class .. "." .. name)
    end)
    assert.is_true(checked > 110, checked)
  end)

  it("name the parameters as messages do", function()
    local closed, open = 0, 0
    each(function(f, class, name, parameters, first)
      local message = message_of(f, first, 30)
      if parameters == "…" then
        open = open + 1
        assert.is_truthy(message:find(("bad argument #%%d+ to '%s' %%("):format(name)), message)
      else
        closed = closed + 1
        local usage = usages[class][name]
        local start = ("bad argument #%d to '%s' (%s%s"):format(parameters + 1, name, usage, usage == "" and "" or ": ")
        assert.is_truthy(message:find(start, 1, true), ("%q does not say %q"):format(message, start))
        assert.is_truthy(message:find("arguments? expected, got 30%)$"), message)
      end
    end)
    assert.is_true(closed > 110 and open > 12, closed .. " " .. open)
  end)

  it("name the parameters that are missing as messages do", function()
    local missing = 0
    each(function(f, class, name, parameters, first)
      local given, usage = class == "graze" and 0 or 1, usages[class][name]
      local wanted = select(2, usage:match("^[^[]*"):gsub("[%w_]+", ""))
      if wanted <= given and (parameters ~= "…" or name == "at") then return end
      missing = missing + 1
      local message = message_of(f, first, given) or "nothing"
      assert.is_truthy(message:find(("bad argument #%d to '%s' ("):format(given + 1, name), 1, true), message)
      assert.is_truthy(parameters == "…" or message:find("(" .. usage .. ": ", 1, true) or
                       message:find(("(%s: a placed shape expected"):format(usage:match "^[%w_]+"), 1, true), message)
      assert.is_truthy(message:find "expected.*, got %w+%)$", message)
    end)
    assert.is_true(missing > 90, missing .. " functions")
  end)

  it("have parentheses around functions that are one of several types", function()
    for line in text:gmatch "%-%-%-@[^\n]*" do
      local bare = line:gsub("%b()", function(part) return part:find "^%(fun" and "" or part end)
      assert.is_nil(bare:find "fun%b().* | ", line)
    end
  end)

  -- A word behind "..." would be a name, and after a comma the next type.
  it("put # before what they say of results", function()
    for result in text:gmatch "%-%-%-@return ([^\n]*)" do
      local type_text = result:gsub("#.*", ""):gsub("%b{}", "{}")
      assert.is_nil(type_text:find "%.%.%. *%w" or type_text:find ",", result)
    end
  end)

  it("tell what happens where an option is left out", function()
    for _, class in ipairs {"option_table", "outline_options", "world_options", "motion", "body_def"} do
      local block, count = text:match("%-%-%-@class graze%." .. class .. "\n(.-)\n\n"), 0
      for line in block:gmatch "@field [^\n]*" do
        count = count + 1
        assert.is_truthy(line:lower():find "default" or line:find "likewise", line)
      end
      assert.is_true(count >= 3)
    end
  end)

  it("name fields that there are", function()
    for class, object in pairs {answer = objects.answer, impact = objects.impact} do
      local block, count = text:match("%-%-%-@class graze%." .. class .. "\n(.-)local"), 0
      for name, optional in block:gmatch "@field ([%w_]+) [^\n]-(%??)[ \n]" do
        count = count + 1
        if optional == "" and not block:match("@field " .. name .. " %w+%?") then
          assert.is_not_nil(object[name], class .. "." .. name)
        end
      end
      assert.is_true(count >= 12)
    end
  end)
end)
