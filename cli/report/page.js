// Steps through the messages of a plan. The numbers come from the element "steps" (steps_data.c says what is in
// it), all names from the drawing. ASCII only.
(function () {
  'use strict';
  var source = document.getElementById('steps');
  if (!source) return;
  var data = JSON.parse(source.textContent);
  var count = data.steps.length;
  var word = data.word;
  var shown = -1;
  var lit = [];
  var LISTED_MAX = 500;
  var ARROW = ' \u2192 ';

  function find(id) { return document.getElementById(id); }

  function make(parent, name, text) {
    var element = document.createElement(name);
    if (text !== undefined) element.textContent = text;
    parent.appendChild(element);
    return element;
  }

  function plural(number, noun) { return number + ' ' + noun + (number === 1 ? '' : 's'); }

  function bytes(number) {
    var units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'], unit = 0;
    while (number >= 1024 && unit + 1 < units.length) { number /= 1024; unit++; }
    return (unit === 0 ? number : Number(number.toPrecision(3))) + ' ' + units[unit];
  }

  // The messages of a step as indices of pairs; null where they were left out.
  function messages(step) {
    var list = data.steps[step][0];
    return typeof list === 'number' ? data.steps[list][0] : list;
  }

  function nodeName(number) { return find('n' + number).getAttribute('data-name'); }

  // The names of the nodes that a pair's messages pass.
  function way(pair) {
    var names = [];
    data.ways[pair].forEach(function (link, i) {
      var line = find('l' + link);
      if (i === 0) names.push(nodeName(line.getAttribute('data-from')));
      names.push(nodeName(line.getAttribute('data-to')));
    });
    return names.length ? names.join(ARROW) : 'within a host';
  }

  function light(list) {
    var carried = {};
    lit.forEach(function (line) { line.classList.remove('busy', 'shared'); });
    lit = [];
    list.forEach(function (pair) {
      data.ways[pair].forEach(function (link) { carried[link] = (carried[link] || 0) + 1; });
    });
    Object.keys(carried).forEach(function (link) {
      var line = find('l' + link);
      line.classList.add(carried[link] > 1 ? 'shared' : 'busy');
      lit.push(line);
    });
  }

  function list(step, pairs) {
    var place = find('messages');
    place.textContent = '';
    if (!pairs.length) return;
    var box = make(place, 'div');
    box.className = 'scroll';
    box.tabIndex = 0;
    box.setAttribute('role', 'region');
    var title = 'Messages of ' + word + ' ' + step;
    box.setAttribute('aria-label', title);
    var table = make(box, 'table');
    make(table, 'caption', title);
    var head = make(make(table, 'thead'), 'tr');
    ['from rank', 'to rank', 'way'].forEach(function (name) {
      make(head, 'th', name).setAttribute('scope', 'col');
    });
    var body = make(table, 'tbody');
    pairs.slice(0, LISTED_MAX).forEach(function (pair) {
      var row = make(body, 'tr');
      make(row, 'th', data.pairs[2 * pair]).setAttribute('scope', 'row');
      make(row, 'td', data.pairs[2 * pair + 1]);
      make(row, 'td', way(pair));
    });
    if (pairs.length > LISTED_MAX) make(place, 'p', (pairs.length - LISTED_MAX) + ' more are not listed.');
  }

  function describe(step, pairs) {
    var entry = data.steps[step];
    var begin = step > 0 ? data.steps[step - 1][2] : 0;
    var text = word.charAt(0).toUpperCase() + word.slice(1) + ' ' + step + ' of 0 to ' + (count - 1) + ': ';
    if (!pairs) return text + 'its messages are left out, as the page would be too large.';
    text += plural(pairs.length, 'message');
    if (entry[1] > 0) text += ' of ' + bytes(entry[1]) + (pairs.length > 1 ? ' at most' : '');
    if (entry[3] > 0) text += ', at most ' + entry[3] + ' on a link';
    if (entry[2] > 0) text += '; from ' + (begin / 1000).toPrecision(4) + ' to ' + (entry[2] / 1000).toPrecision(4) + ' ms';
    if (typeof entry[0] === 'number') text += '; the same messages as in ' + word + ' ' + entry[0];
    return text + '.';
  }

  // The frame around the step's time in the heat map.
  function mark(step) {
    var frame = find('heat-now');
    if (!frame) return;
    var all = data.steps[count - 1][2], left = Number(frame.getAttribute('data-left'));
    var width = Number(frame.getAttribute('data-width'));
    var begin = step > 0 ? data.steps[step - 1][2] : 0;
    frame.setAttribute('x', left + width * begin / all);
    frame.setAttribute('width', Math.max(1, width * (data.steps[step][2] - begin) / all));
  }

  function disable(id, off) { find(id).setAttribute('aria-disabled', off ? 'true' : 'false'); }

  function show(step) {
    step = Math.max(0, Math.min(count - 1, Math.trunc(step) || 0));
    find('number').value = step;
    if (step === shown) return;
    shown = step;
    var pairs = messages(step);
    light(pairs || []);
    list(step, pairs || []);
    mark(step);
    find('now').textContent = describe(step, pairs);
    find('range').value = step;
    ['first', 'previous'].forEach(function (id) { disable(id, step === 0); });
    ['next', 'last'].forEach(function (id) { disable(id, step === count - 1); });
    try { history.replaceState(null, '', '#step=' + step); } catch (refused) { /* Some viewers allow no address. */ }
  }

  function fromAddress() {
    var found = /^#step=(\d+)$/.exec(location.hash);
    return found ? Number(found[1]) : 0;
  }

  function pressed(event) {
    var target = event.target;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    // Fields and boxes that scroll have a use of their own for these keys.
    if (target.closest && target.closest('input, .scroll')) return;
    var steps = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: count - 1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    show(steps[event.key]);
  }

  find('first').addEventListener('click', function () { show(0); });
  find('previous').addEventListener('click', function () { show(shown - 1); });
  find('next').addEventListener('click', function () { show(shown + 1); });
  find('last').addEventListener('click', function () { show(count - 1); });
  find('number').addEventListener('change', function (event) { show(Number(event.target.value)); });
  find('range').addEventListener('input', function (event) { show(Number(event.target.value)); });
  document.addEventListener('keydown', pressed);
  window.addEventListener('hashchange', function () { show(fromAddress()); });
  document.querySelectorAll('.controls, .needs-script').forEach(function (element) { element.hidden = false; });
  show(fromAddress());
})();
