import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { axeIn } from '../../../latchkey/tests/gallery/in-browser.ts'

/** The first one is without the user interface of a browser, and opens a window with a fifth of the work. */
const PROGRAMS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const

const program = PROGRAMS.find((path) => existsSync(path))

/** Why no browser can be started; `undefined` when one can. */
export const missingBrowser: string | undefined = program
  ? undefined
  : `${PROGRAMS.join(' and ')} are missing; install Debian's package chromium-headless-shell`

/**
 * The options of tests in a browser. A browser may hang, once in some thousand visits, so a test that does not end
 * in time runs once more, and the summary names it.
 */
export const inBrowser = {
  timeout: 60_000,
  retry: { count: 1, condition: /^Test timed out/ },
} as const

/** What was seen of the pages, for people to look at: written if `SCREENSHOTS` is set. */
export const screenshots: string | undefined = process.env['SCREENSHOTS']
  ? fileURLToPath(new URL('../../../../test-results/pages', import.meta.url))
  : undefined

let running: Browser | undefined

/**
 * Returns the browser of this worker, which runs several files of tests. Its `close` closes all windows, and the
 * browser ends with the worker.
 */
export async function launch(): Promise<Browser> {
  if (running?.isConnected()) return running
  const browser = await chromium.launch({
    ...(program && { executablePath: program }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  browser.close = async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
  }
  running = browser
  return browser
}

/** A window, and everything in it that should not have happened. */
export interface Window {
  readonly page: Page
  readonly context: BrowserContext
  /** Requests to other hosts, refusals of the content security policy, errors of scripts. */
  readonly complaints: string[]
  screenshot(name: string): Promise<void>
  close(): Promise<void>
}

export interface WindowOptions {
  readonly origin: string
  readonly scripts?: boolean
  readonly scheme?: 'light' | 'dark'
  readonly width?: number
}

export async function openWindow(
  browser: Browser,
  { origin, scripts = true, scheme = 'light', width = 900 }: WindowOptions,
): Promise<Window> {
  const context = await browser.newContext({
    javaScriptEnabled: scripts,
    colorScheme: scheme,
    viewport: { width, height: 800 },
  })
  const page = await context.newPage()
  page.setDefaultTimeout(10_000)
  const complaints: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) complaints.push(`asked ${url}`)
  })
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  return {
    page,
    context,
    complaints,
    async screenshot(name) {
      if (screenshots === undefined) return
      await page.screenshot({ path: join(screenshots, `${name}-${scheme}.png`), fullPage: true })
    },
    close: () => context.close(),
  }
}

/** What axe finds wrong with the page, as sentences; it looks at labels, contrast, landmarks and more. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  const faults = await axeIn(page)
  return faults()
}
