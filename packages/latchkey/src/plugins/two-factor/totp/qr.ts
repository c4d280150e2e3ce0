import { encode } from 'uqr'
import { type Html, html } from '../../../entries/plugin.ts'

/** Light modules around the code, without which some cameras do not find it. */
const QUIET = 4

/** Returns a QR code as an image of one path. @param title for those who cannot see it. */
export function qrCode(text: string, title: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET })
  return html`<svg xmlns="http://www.w3.org/2000/svg" class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-labelledby="qr-title" shape-rendering="crispEdges"><title id="qr-title">${title}</title><path d="${data.map(lineOf).join('')}"/></svg>`
}

/** Returns the dark modules of one line, each run as one rectangle. */
function lineOf(modules: readonly boolean[], y: number): string {
  let path = ''
  for (let x = 0; x < modules.length; x++) {
    const start = x
    while (modules[x]) x++
    if (x > start) path += `M${start} ${y}h${x - start}v1h-${x - start}z`
  }
  return path
}
