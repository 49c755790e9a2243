# What Sphinx is told for the documentation site; tools/make-site lays out the pages and calls it.
project = 'Tourney'
extensions = ['myst_parser']
include_patterns = ['index.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md', 'man/*.md']
myst_heading_anchors = 4  # links to headings, by the names that GitHub gives them
highlight_language = 'none'
nitpicky = True

html_theme = 'furo'
html_title = 'Tourney'
html_static_path = ['static']
html_css_files = ['site.css']
html_copy_source = False
html_show_copyright = False
