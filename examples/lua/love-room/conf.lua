function love.conf(t)
  t.window.title = "Graze"
  t.window.width, t.window.height = 960, 540
  t.modules.physics, t.modules.joystick, t.modules.audio, t.modules.sound = false, false, false, false
end
