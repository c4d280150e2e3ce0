import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { NOW } from './visitor.ts'

/** A document of the gallery in a real browser. */
export interface ShownPage {
  readonly page: Page
  /** Refusals of the content security policy, errors of scripts, and requests to other hosts. */
  readonly complaints: string[]
}

/** The minified one: a browser reads it in half the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const ORIGIN = 'https://acme.example'
const PATH = '/gallery'

/** The smallest picture, in place of logos. */
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path d="M0 0h32v32H0z"/></svg>'

/** The form for passkeys asks for them as soon as the page is open. */
const PASSKEY_OPTIONS = {
  action: 'authenticate',
  options: { challenge: 'AAAA', rpId: 'acme.example', allowCredentials: [] },
}

/** What a page that offers a passkey asks for by itself. No authenticator is there to create one. */
const NEW_PASSKEY_OPTIONS = {
  action: 'register',
  options: {
    challenge: 'AAAA',
    rp: { id: 'acme.example', name: 'Acme' },
    user: { id: 'AAAA', name: 'ada@example.com', displayName: 'Ada Lovelace' },
    pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
  },
}

/** Shows a response as if its site had sent it, in a window of its own. */
export async function showPage(context: BrowserContext, response: Response): Promise<ShownPage> {
  const show = await openScreen(context)
  return show(response)
}

/** Opens a window that shows one response after the other, each as if its site had sent it. */
async function openScreen(
  context: BrowserContext,
): Promise<(response: Response) => Promise<ShownPage>> {
  await context.clock.setFixedTime(NOW)
  const page = await context.newPage()
  let complaints: string[] = []
  page.on('framenavigated', (frame) => {
    if (frame === page.mainFrame()) complaints = []
  })
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  let headers: Record<string, string> = {}
  let body = ''
  await page.route('**/*', async (route) => {
    const { pathname, origin } = new URL(route.request().url())
    if (route.request().isNavigationRequest())
      // A page may send a form by itself; it stays where it is.
      return route.fulfill(pathname === PATH ? { status: 200, headers, body } : { status: 204 })
    if (origin !== ORIGIN) complaints.push(`asked ${route.request().url()}`)
    if (pathname.endsWith('.svg'))
      return route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
    if (pathname.includes('/webauthn-options/')) return route.fulfill({ json: PASSKEY_OPTIONS })
    if (pathname.endsWith('/passkey-options')) return route.fulfill({ json: NEW_PASSKEY_OPTIONS })
    return route.fulfill({ status: 404 })
  })
  return async (response) => {
    body = await response.text()
    headers = Object.fromEntries(
      [...response.headers].filter(([name]) => name !== 'set-cookie' && name !== 'location'),
    )
    await page.goto(ORIGIN + PATH, { waitUntil: 'commit' })
    // A function that waits in the page is never called again where scripts are off, and a page that sends a form by
    // itself has no end of its load.
    while ((await page.evaluate(() => document.readyState)) === 'loading')
      await page.waitForTimeout(10)
    return { page, complaints }
  }
}

/**
 * Returns a function that shows a response in a window and hands it to a check. The next one gets the same window, as a
 * new visitor, since opening one costs as much as all checks together; after a check that failed, it gets a new one.
 */
export function screensOf(
  browser: () => Browser,
  options: BrowserContextOptions,
): (response: Response, check: (shown: ShownPage) => Promise<void>) => Promise<void> {
  const free: Awaited<ReturnType<typeof openScreen>>[] = []
  return async (response, check) => {
    const show = free.pop() ?? (await openScreen(await browser().newContext(options)))
    const shown = await show(response)
    await check(shown)
    const { page } = shown
    await page.context().clearCookies()
    if (options.javaScriptEnabled !== false)
      await page.evaluate(() => {
        localStorage.clear()
        sessionStorage.clear()
      })
    free.push(show)
  }
}

/** Returns the buttons of rows that do not stand at the end of their row, by their text. */
export async function strayButtons(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.row > .acts')]
      .filter((buttons) => {
        const row = buttons.parentElement ?? buttons
        const inner = row.getBoundingClientRect()
        const { left, right } = buttons.getBoundingClientRect()
        const last = buttons.lastElementChild?.getBoundingClientRect()
        const end = getComputedStyle(row).direction === 'rtl'
        const gap = end ? (last?.left ?? left) - inner.left : inner.right - (last?.right ?? right)
        return gap > Number.parseFloat(getComputedStyle(row).paddingRight) + 1
      })
      .map(({ textContent }) => textContent.trim()),
  )
}

/** Returns what is shown in groups or lines, to be typed elsewhere, and is longer than its field. */
export async function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('.mono[readonly]')]
      .filter(
        (field) =>
          /\s/.test(field.value) &&
          (field.scrollWidth > field.clientWidth || field.scrollHeight > field.clientHeight + 1),
      )
      .map(({ id }) => id),
  )
}

/**
 * Returns the frames whose content is farther from the top than from the side, since something hidden keeps its space, and
 * frames within frames.
 */
export async function gaps(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.inside')]
      .filter((frame) => {
        const first = [...frame.children].find((child) => child.getClientRects().length > 0)
        return first?.matches('.inside') || (first && getComputedStyle(first).marginTop !== '0px')
      })
      .map(({ textContent }) => textContent.trim()),
  )
}

/** Returns the pictures that are as high as they are wide, but have no room to be so. */
export async function squeezed(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.tile,.avatar,.seal,.i')]
      .filter((picture) => {
        const { width, height } = picture.getBoundingClientRect()
        return Math.abs(width - height) > 1
      })
      .map(({ outerHTML }) => outerHTML.slice(0, 60)),
  )
}

/**
 * Loads axe into the page.
 *
 * @returns a function that returns what axe finds wrong with the page as it is then, as sentences. With `colours`, it looks
 *   only for what another colour scheme changes.
 */
export async function axeIn(page: Page): Promise<(only?: 'colours') => Promise<string[]>> {
  // In an isolated world of the page, the content security policy does not apply to it.
  const session = await page.context().newCDPSession(page)
  const { frameTree } = await session.send('Page.getFrameTree')
  const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
  })
  const evaluate = async (expression: string): Promise<unknown> => {
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
      contextId,
      awaitPromise: true,
      returnByValue: true,
      expression,
    })
    if (exceptionDetails)
      throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value
  }
  await evaluate(`${AXE};0`)
  return async (only) =>
    (await evaluate(`axe.run(document, {
      resultTypes: ['violations'],
      ${only ? "runOnly: ['color-contrast', 'link-in-text-block']," : ''}
      rules: { 'target-size': { enabled: true } },
    }).then(({ violations }) => violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target }) => id + ': ' + help + ' (' + target + ')')))`)) as string[]
}

/** Returns by how many pixels the page is wider than the window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}

/** Shows text at twice its size. */
export function doubleText(page: Page): Promise<void> {
  return page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
}

/** Shows text at its size again. */
export function singleText(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.documentElement.style.removeProperty('font-size')
  })
}

/** Sets the spacing that users may choose (WCAG 2.2, 1.4.12). */
export function spaceText(page: Page): Promise<void> {
  return page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(
      '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-block-end:2em!important}',
    )
    document.adoptedStyleSheets = [sheet]
  })
}

export function unspaceText(page: Page): Promise<void> {
  return page.evaluate(() => {
    document.adoptedStyleSheets = []
  })
}

/** Returns the controls that are smaller than 24 by 24 pixels (WCAG 2.2, 2.5.8). Links within a sentence may be. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'a[href], button, summary, input:not([type=hidden]), select, textarea',
    )
    const isInSentence = (element: HTMLElement): boolean =>
      getComputedStyle(element).display === 'inline' &&
      (element.parentElement?.textContent ?? '').trim() !== (element.textContent ?? '').trim()
    const areaOf = (element: HTMLElement): DOMRect => {
      const label = element instanceof HTMLInputElement ? element.labels?.[0] : undefined
      // A click on the label is one on the box.
      const isBox = element.matches('[type=checkbox], [type=radio]')
      return (isBox && label ? label : element).getBoundingClientRect()
    }
    return [...controls]
      .filter((element) => element.checkVisibility() && !element.matches('.sr, .skip'))
      .filter((element) => !isInSentence(element))
      .filter((element) => {
        const { width, height } = areaOf(element)
        return width < 24 || height < 24
      })
      .map((element) => element.outerHTML.slice(0, 200))
  })
}

/**
 * Returns the controls that look like others where the system sets all colours: a primary button, an invalid field and the
 * current entry of a navigation must differ by their border or outline.
 */
export function indistinctControls(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const edge = (element: Element): string => {
      const { borderWidth, borderStyle, outlineWidth, outlineStyle } = getComputedStyle(element)
      return [borderWidth, borderStyle, outlineStyle === 'none' ? '' : outlineWidth].join(' ')
    }
    const pairs = [
      ['.button.main', '.button:not(.main)'],
      [
        'input[aria-invalid=true]',
        'input:not([aria-invalid]):not([type=hidden]):not([type=checkbox])',
      ],
      ['nav [aria-current]', 'nav a:not([aria-current])'],
    ] as const
    return pairs.flatMap(([special, plain]) => {
      const [one, other] = [special, plain].map((each) =>
        [...document.querySelectorAll(each)].find((element) => element.checkVisibility()),
      )
      return one && other && edge(one) === edge(other) ? [`${special} looks like ${plain}`] : []
    })
  })
}

/**
 * Goes through the page with the Tab key.
 *
 * @returns the controls that it does not reach in their order, or whose focus cannot be seen.
 */
export async function keyboardFaults(page: Page): Promise<string[]> {
  const expected = await page.evaluate(() => {
    const { body } = document
    body.tabIndex = -1
    body.focus()
    const all = document.querySelectorAll<HTMLElement>(
      'a[href], button:not(:disabled), summary, input:not([type=hidden]), select, textarea, pre[tabindex], iframe, [tabindex="0"]',
    )
    const reached = [...all].filter((each) => each.checkVisibility() && each.tabIndex >= 0)
    reached.forEach((each, index) => each.setAttribute('data-order', String(index)))
    return reached.length
  })
  const faults: string[] = []
  for (let index = 0; index < expected; index++) {
    await page.keyboard.press('Tab')
    const seen = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return {
        order: Number(element.dataset['order'] ?? -1),
        isSeen: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2,
        isFrame: element.tagName === 'IFRAME',
        what: element.outerHTML.slice(0, 160),
      }
    })
    if (seen.order !== index) return [...faults, `${index} is ${seen.what}`]
    if (!seen.isSeen && !seen.isFrame) faults.push(`the focus of ${seen.what} cannot be seen`)
  }
  return faults
}

/**
 * Returns by how much the content of the page moves while it is loaded (Layout Instability): the least of up to three
 * loads, since a busy machine paints pages of which a part has arrived, and then their last line grows.
 */
export async function layoutShift(page: Page): Promise<number> {
  let least = await shiftOfLoad(page)
  for (let load = 1; load < 3 && least > 0; load += 1) {
    await page.goto(page.url(), { waitUntil: 'domcontentloaded' })
    least = Math.min(least, await shiftOfLoad(page))
  }
  return least
}

function shiftOfLoad(page: Page): Promise<number> {
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let total = 0
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) total += (entry as { value?: number }).value ?? 0
        }).observe({ type: 'layout-shift', buffered: true })
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(total)))
      }),
  )
}
