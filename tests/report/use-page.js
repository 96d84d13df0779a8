// SPDX-License-Identifier: GPL-3.0-or-later
// Put into a report by test-report.sh: uses its timeline as people would, and tells the page around it what came of it.
window.addEventListener('load', async function () {
  const canvas = document.getElementById('lanes'), said = document.getElementById('said'), results = [];
  const pause = () => new Promise((done) => setTimeout(done, 100));
  const press = (key) => canvas.dispatchEvent(new KeyboardEvent('keydown', { key: key, bubbles: true }));
  const click = (what) => document.querySelector('[data-do="' + what + '"]').click();
  const point = (type, x, y) => {
    const box = canvas.getBoundingClientRect();
    canvas.dispatchEvent(new PointerEvent(type, { clientX: box.left + x, clientY: box.top + y, pointerId: 1,
      bubbles: true }));
  };
  async function changes (name, act) {
    const before = canvas.toDataURL();
    act();
    await pause();
    results.push(name + (canvas.toDataURL() !== before ? ' changes' : ' does nothing'));
  }
  canvas.setPointerCapture = () => {};  // the pointer is none of the browser's
  await pause();
  const all = canvas.toDataURL();
  await changes('in', () => click('in'));
  await changes('right', () => click('right'));
  await changes('left', () => press('ArrowLeft'));
  await changes('plus', () => press('+'));
  await changes('minus', () => press('-'));
  await changes('drag', () => {
    point('pointerdown', 200, 40);
    point('pointermove', 230, 40);
    point('pointerup', 230, 40);
  });
  await changes('wheel', () => canvas.dispatchEvent(new WheelEvent('wheel',
    { deltaY: -100, ctrlKey: true, bubbles: true, cancelable: true })));
  await changes('plain wheel', () => canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, bubbles: true })));
  await changes('all', () => press('0'));
  results.push(canvas.toDataURL() === all ? 'as at first' : 'not as at first');
  const spans = JSON.parse(document.getElementById('spans').textContent);
  for (let x = 0; x < canvas.clientWidth && !said.textContent; x++) point('pointermove', x, 26 + 12);
  results.push(said.textContent ? 'told: ' + said.textContent : 'nothing told');
  await changes('legend', () => document.querySelector('#legend button').click());
  results.push(document.querySelectorAll('#legend [aria-pressed="true"]').length + ' pressed');
  results.push(spans.spans.length / 6 + ' spans');
  results.push(document.documentElement.scrollWidth <= window.innerWidth ? 'fits ' + window.innerWidth : 'too wide');
  results.push([...document.images].every((image) => image.naturalWidth > 0) ? 'pictures' : 'a picture is broken');
  results.push(getComputedStyle(document.body).backgroundColor);
  window.parent.postMessage(results.join('; '), '*');
});
