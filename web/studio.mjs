// Pictures of pages, taken by a headless Chromium: what docs/animation.mjs and docs/gallery.mjs share.
import { createRequire } from 'node:module';

const require = createRequire(new URL('./package.json', import.meta.url));
const { chromium } = require('playwright-core');
export const { WebSocket } = require('ws');

export class Studio {
  static async open() {
    const studio = new Studio();
    studio.browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-gpu-compositing', '--disable-gpu-rasterization'],
    });
    studio.desk = await studio.browser.newPage(); // where pictures are packed
    return studio;
  }

  async page(address, { width, height, dark = false }) {
    const context = await this.browser.newContext({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' });
    const page = await context.newPage();
    page.setDefaultTimeout(300000);
    await page.goto(address);
    await page.waitForSelector('html[data-time]');
    return page;
  }

  /// A PNG as lossy WebP, of a width.
  async webp(png, width, quality) {
    const text = await this.desk.evaluate(
      async ([source, wide, q]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${source}`;
        await image.decode();
        const canvas = document.createElement('canvas');
        [canvas.width, canvas.height] = [wide, Math.round((image.height * wide) / image.width)];
        const context = canvas.getContext('2d', { alpha: false });
        context.imageSmoothingQuality = 'high';
        context.drawImage(image, 0, 0, canvas.width, canvas.height);
        return canvas.toDataURL('image/webp', q).split(',')[1];
      },
      [png.toString('base64'), width, quality],
    );
    return Buffer.from(text, 'base64');
  }

  close() {
    return this.browser.close();
  }
}

const number = (value, bytes) => {
  const out = Buffer.alloc(bytes);
  out.writeUIntLE(value, 0, bytes);
  return out;
};
const chunk = (name, data) => Buffer.concat([Buffer.from(name), number(data.length, 4), data, Buffer.alloc(data.length % 2)]);

/// The image data of a WebP file (RFC 9649), and its size in pixels.
function imageOf(webp) {
  for (let at = 12; at + 8 <= webp.length; ) {
    const [name, size] = [webp.toString('latin1', at, at + 4), webp.readUInt32LE(at + 4)];
    if (name === 'VP8 ') {
      const data = webp.subarray(at + 8, at + 8 + size);
      return { data, width: data.readUInt16LE(6) & 0x3fff, height: data.readUInt16LE(8) & 0x3fff };
    }
    at += 8 + size + (size % 2);
  }
  throw new Error('no image in a WebP file');
}

/// One moving WebP of several of one size; `wait` between them [ms].
export function moving(pictures, wait) {
  const images = pictures.map(imageOf);
  const [{ width, height }] = images;
  const size = Buffer.concat([number(width - 1, 3), number(height - 1, 3)]);
  const frame = ({ data }) => chunk('ANMF', Buffer.concat([number(0, 6), size, number(wait, 3), number(0, 1), chunk('VP8 ', data)]));
  const body = Buffer.concat([
    Buffer.from('WEBP'), chunk('VP8X', Buffer.concat([number(2, 4), size])), chunk('ANIM', Buffer.concat([number(0xffffffff, 4), number(0, 2)])), ...images.map(frame),
  ]);
  return Buffer.concat([Buffer.from('RIFF'), number(body.length, 4), body]);
}
