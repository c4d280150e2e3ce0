import axe from 'axe-core'
import type { BrowserContext, Page } from 'playwright-core'
import { NOW } from './visitor.ts'

/** A document of the gallery in a real browser. */
export interface ShownPage {
  readonly page: Page
  /** Refusals of the content security policy, errors of scripts, and requests to other hosts. */
  readonly complaints: string[]
}

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

/** Shows a response as if its site had sent it. */
export async function showPage(context: BrowserContext, response: Response): Promise<ShownPage> {
  await context.clock.setFixedTime(NOW)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  const body = await response.text()
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => name !== 'set-cookie' && name !== 'location'),
  )
  await page.route('**/*', async (route) => {
    const { pathname, origin } = new URL(route.request().url())
    if (route.request().isNavigationRequest())
      // A page may send a form by itself; it stays where it is.
      return route.fulfill(pathname === PATH ? { status: 200, headers, body } : { status: 204 })
    if (origin !== ORIGIN) complaints.push(`asked ${route.request().url()}`)
    if (pathname.endsWith('.svg'))
      return route.fulfill({ contentType: 'image/svg+xml', body: PICTURE })
    if (pathname.includes('/webauthn-options/')) return route.fulfill({ json: PASSKEY_OPTIONS })
    return route.fulfill({ status: 404 })
  })
  await page.goto(ORIGIN + PATH, { waitUntil: 'commit' })
  await page.waitForFunction(() => document.readyState !== 'loading')
  return { page, complaints }
}

/**
 * Loads axe into the page.
 *
 * @returns a function that returns what axe finds wrong with the page as it is then, as sentences.
 */
export async function axeIn(page: Page): Promise<() => Promise<string[]>> {
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
  await evaluate(`${axe.source};0`)
  return async () =>
    (await evaluate(`axe.run(document, {
      resultTypes: ['violations'],
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

/** Returns by how much the content of the page moved while it was loaded (Layout Instability). */
export function layoutShift(page: Page): Promise<number> {
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
