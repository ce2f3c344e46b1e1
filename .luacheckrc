std = 'luajit'
max_line_length = 120
self = false
files['tests/specs'] = { std = '+busted' }
exclude_files = { 'build/**' }
