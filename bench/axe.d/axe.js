// axe.js PAGE...: what axe-core finds wrong with pages: all of its rules but those that it calls
// experimental, in two themes and widths, with what is folded opened.
const path = require('path');
const { chromium } = require('playwright-core');
const source = require('fs').readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox'] });
  let bad = 0;
  for (const file of process.argv.slice(2)) {
    for (const colorScheme of ['light', 'dark']) {
      for (const width of [1280, 390]) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
        const page = await context.newPage();
        const name = `${path.basename(file, '.html')} ${colorScheme} ${width}`;
        const errors = [];
        page.on('pageerror', (e) => errors.push(e.message));
        await page.goto('file://' + file);
        if (process.env.PICTURES) await page.screenshot({ path: path.join(process.env.PICTURES, name.replace(/ /g, '-') + '.png') });
        await page.evaluate(() => document.querySelectorAll('details').forEach((d) => { d.open = true; }));
        await page.waitForTimeout(200);
        await page.evaluate(source);
        const said = await page.evaluate(() => axe.run(document, { iframes: false, resultTypes: ['violations'],
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }));
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
        if (wide > 0) errors.push(`the page is ${wide} pixels wider than the window`);
        for (const v of said.violations) errors.push(`${v.id} (${v.impact}), ${v.nodes.length} times: ${v.help}: ${v.nodes[0].html.slice(0, 160)} ${v.nodes[0].any[0]?.message || ''}`);
        console.log(`${errors.length ? 'not ok' : 'ok'} ${name}: ${said.passes.length} rules pass`);
        for (const e of errors) console.log('    ' + e);
        bad += errors.length;
        await context.close();
      }
    }
  }
  await browser.close();
  process.exit(bad ? 1 : 0);
})();
