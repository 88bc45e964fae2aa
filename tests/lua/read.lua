-- read(path): what a file holds.
return function(path)
  local file = assert(io.open(path))
  local text = file:read "*a"
  file:close()
  return text
end
