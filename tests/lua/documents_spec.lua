-- Programs in examples/lua print what their first comments promise, and those of bindings/lua/README.md what it shows.
local support = require "support"

describe("the examples", function()
  for _, name in ipairs {"first", "sat", "platformer", "mesh"} do
    it(name .. " print what they promise", function()
      local text, promised = support.read("examples/lua/" .. name .. ".lua"), ""
      for line in text:match("Prints:\n(.-)\n[^-]"):gmatch "%-%-   ([^\n]*)" do promised = promised .. line .. "\n" end
      assert.is_true(#promised > 5)
      assert.are.equal(promised, support.printed(text, name))
    end)
  end

  it("of the README print what it shows, and the first is first.lua", function()
    local text, programs = support.read "bindings/lua/README.md", {}
    for block in text:gmatch "```lua\n(.-)```" do programs[#programs + 1] = block end
    assert.are.equal(2, #programs)
    assert.are.equal(text:match "```text\n(.-)```", support.printed(table.concat(programs), "README"))
    assert.is_truthy(support.read("examples/lua/first.lua"):find(programs[1]:sub(1, -2), 1, true))
  end)
end)
