import { AuthError, toError } from '../base/errors.ts'
import { inTime } from '../base/in-time.ts'
import { rawHtml } from '../http/html.ts'
import type { MailTemplates, TemplateMail } from '../options/mail/mail-options.ts'
import type { MailValues } from '../options/mail/mail-values.ts'
import type { Logger } from '../options/redacting-logger.ts'
import type { WrittenMail } from './mail-frame.ts'

/** Milliseconds until a template must return a mail. */
const PATIENCE = 10_000

/**
 * Returns what the template of the application for a kind of mails writes. Without one, and if it fails, returns `undefined`: the
 * built-in mail is sent then.
 */
export async function fromTemplate(
  { kind, locale }: { readonly kind: keyof MailValues; readonly locale: string },
  values: object,
  { templates, logger }: { readonly templates: MailTemplates; readonly logger: Logger },
): Promise<Pick<WrittenMail, 'subject' | 'text' | 'html'> | undefined> {
  const template = Object.hasOwn(templates, kind) && templates[kind]
  if (!template) return undefined
  try {
    const written: unknown = await inTime(template(values as never, locale), PATIENCE)
    if (isTemplateMail(written)) {
      const { subject, text, html } = written
      return { subject, text, html: rawHtml(html) }
    }
    throw new TypeError(
      'it must return { subject, text, html }: texts that are not empty, with a subject of one line',
    )
  } catch (error) {
    const why = `mail.templates[${JSON.stringify(kind)}] failed, and the built-in mail is sent`
    logger.error(new AuthError(`${why}: ${toError(error).message}`, toError(error)))
    return undefined
  }
}

function isTemplateMail(value: unknown): value is TemplateMail {
  const { subject, text, html } = Object(value) as Partial<Record<keyof TemplateMail, unknown>>
  const areTexts = [subject, text, html].every((each) => typeof each === 'string' && each !== '')
  // A line break would begin another header.
  return areTexts && !/\p{Cc}/u.test(String(subject))
}
