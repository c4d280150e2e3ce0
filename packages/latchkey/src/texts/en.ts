/**
 * The texts in English, by page. `{name}` is a place that is filled in; where a number decides the form, there is one for
 * each plural category (CLDR). What a provider or the plugins bring along is apart: nobody else carries it.
 *
 * @module
 */

/** Of pages; also the times in mails. */
export const en = {
  'page.back': 'Back to {host}',
  'time.minutes': { one: '{count} minute', other: '{count} minutes' },
  'time.hours': { one: '{count} hour', other: '{count} hours' },

  'sign-in.title': 'Sign in',
  'sign-in.site': 'to {host}',
  'sign-in.or': 'or',
  'sign-in.continue': 'Continue with {name}',
  'sign-in.with': 'Sign in with {name}',
  'sign-in.submit': 'Sign in',
  'sign-in.email': 'Email address',
  'sign-in.email.example': 'you@example.com',
  'sign-in.send': 'Send me a sign-in link',
  'sign-in.failed': 'Sign-in failed',
  'sign-in.other-account': 'That did not work. Try to sign in with another account.',
  'sign-in.again': 'Signing in failed. Please try again.',
  'sign-in.error.OAuthAccountNotLinked':
    'This address is already in use. Sign in the way you did the first time.',
  'sign-in.error.EmailSignin': 'The mail could not be sent. Check the address and try again.',
  'sign-in.error.CredentialsSignin':
    'Sign-in failed. Check that what you entered is correct and try again.',
  'sign-in.error.AccountNotLinked':
    'Signing in failed. This passkey or address belongs to another account; sign in to that one first.',
  'sign-in.error.SessionLimit':
    'You are signed in on as many devices as you may. Sign out on one of them, or wait until a session there ends by itself.',
  'sign-in.error.SessionRequired': 'Please sign in to see this page.',
  'sign-in.error.MissingCSRF':
    'This form was open for too long or came from another site. Please try again.',

  'confirm.heading': 'Sign in to {host}?',
  'confirm.lead':
    'You opened a sign-in link for {email}. If you did not ask for it, close this page.',

  'verify-request.title': 'Check your email',
  'verify-request.link':
    'A sign-in link is on its way to you. Open it on this device to sign in with one click.',
  'verify-request.link-and-code':
    'A sign-in link and a code are on their way to you. Open the link on this device, or type the code here.',
  'verify-request.code': 'Code from the mail',
  'verify-request.help':
    'Nothing there? Look into the spam folder, or check the address and {again}.',
  'verify-request.again': 'ask again',
  'verify-request.error.WrongCode':
    'That is not the code of the last mail. Check it and try again.',
  'verify-request.error.TooManyAttempts':
    'There were too many attempts with codes. Open the link in the mail to sign in.',

  'sign-out.title': 'Sign out',
  'sign-out.heading': 'Sign out?',
  'sign-out.site': 'of {host}',
  'sign-out.submit': 'Sign out',
  'sign-out.stay': 'Stay signed in',

  'error.Configuration.title': 'Something is not set up right',
  'error.Configuration.text':
    'The server could not finish this. Whoever runs this site finds the details in its log.',
  'error.AccessDenied.title': 'Access denied',
  'error.AccessDenied.text': 'You do not have permission to sign in.',
  'error.Verification.title': 'This link or code does not work any more',
  'error.Verification.text':
    'It has been used already, or it has expired. Ask for a new one and try again.',
  'error.UnknownProvider.title': 'There is no such way to sign in',
  'error.UnknownProvider.text':
    'The address is not right, or this site no longer offers it. Choose another way.',
  'error.SignOutError.title': 'You are still signed in',
  'error.SignOutError.text':
    'The site could not end your session right now. Try again in a moment.',
  'error.TooManyAttempts.title': 'Too many attempts',
  'error.TooManyAttempts.text': 'This was tried too often.',
  'error.WebAuthnVerificationError.title': 'The passkey was not accepted',
  'error.WebAuthnVerificationError.text':
    'It could not be checked. Try again, or sign in another way.',
  'error.other.title': 'Something went wrong',
  'error.other.text': 'That did not work. Go back to the site and try again.',
  'error.wait': 'Wait {time}, and then try again.',
  'error.retry': 'Try again',
} as const

/** Of the sign-in mail. */
export const mails = {
  'mail.subject': 'Sign in to {host}',
  'mail.open': 'Open this link to sign in. It works once, for {time}:',
  'mail.type': 'Or type this code where you began to sign in, and give it to nobody:',
  'mail.ignore': 'If you did not ask for this mail, you can ignore it.',
  'mail.title': 'Sign in',
  'mail.once': 'The link works once, for {time}.',
  'mail.submit': 'Sign in',
  'mail.code': 'Or type this code where you began to sign in:',
  'mail.secret': 'Give it to nobody, whoever asks.',
} as const

/** Of the form for passkeys and its script, which has them in English (`browser/passkey.ts`). */
export const passkeys = {
  'passkey.email': 'Email for your passkey',
  'passkey.email.example': 'you@example.com',
  'passkey.hint':
    'Leave the field empty to choose one of your passkeys. A new address makes a new account.',
  'passkey.missing': 'Passkeys need a browser that knows them, with scripts turned on.',
  'passkey.script.input': 'Check what you entered and try again.',
  'passkey.script.unreachable': 'The site could not be reached. Please try again.',
  'passkey.script.failed': 'The site could not do this right now. Please try again later.',
  'passkey.script.registered':
    'This device has a passkey for this account already. Sign in with it.',
  'passkey.script.unable': 'This device cannot make such a passkey. Try another one.',
  'passkey.script.cancelled':
    'Nothing happened: it was cancelled, there is no passkey for it here, or it took too long. Please try again.',
  'passkey.script.other': 'That did not work. Please try again.',
} as const

/** Of what routes of plugins refuse with. */
export const problemTexts = {
  'problem.fields': 'Look at: {fields}.',
  'problem.invalid_input': 'Something in the form is missing or wrong.',
  'problem.invalid_code': 'This link or code does not work any more.',
  'problem.csrf': 'The form is too old, or another site sent it. Try again.',
  'problem.unauthenticated': 'Sign in first.',
  'problem.forbidden': 'You may not do this.',
  'problem.not_found': 'There is nothing here.',
  'problem.method_not_allowed': 'This address does not take that.',
  'problem.conflict': 'Somebody was faster. Look again.',
  'problem.too_large': 'That is too much at once.',
  'problem.unsupported_media_type': 'Send a form or JSON.',
  'problem.server_error':
    'The server could not do this. Its operator finds the details in the log.',
  'problem.too_many_attempts': 'This was tried too often. Try again later.',
  'problem.session_unreadable':
    'Whether you are signed in cannot be found out right now. Try again in a moment.',
  'problem.store_unavailable': 'This does not work right now. Try again in a moment.',
  'problem.mail_unavailable': 'The mail could not be sent. Try again in a moment.',
} as const
