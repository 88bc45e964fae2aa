-- The programs of bindings/lua/README.md print what stands there.
local read = require "read"

describe("the README", function()
  it("tells the truth", function()
    local text, program, lines = read "bindings/lua/README.md", {}, {}
    for block in text:gmatch "```lua\n(.-)```" do program[#program + 1] = block end
    assert.are.equal(2, #program)
    local environment = setmetatable({print = function(...)
      local words = {...}
      for i, word in ipairs(words) do words[i] = tostring(word) end
      lines[#lines + 1] = table.concat(words, "\t") .. "\n"
    end}, {__index = _G})
    local source = table.concat(program)
    local run = setfenv and setfenv(assert(loadstring(source)), environment) or
                assert(load(source, "README", "t", environment))
    run()
    assert.are.equal(text:match "```text\n(.-)```", table.concat(lines))
    local first = read "examples/lua/first.lua"
    assert.is_truthy(first:find(program[1]:sub(1, -2), 1, true), "first.lua is the first program")
  end)
end)
