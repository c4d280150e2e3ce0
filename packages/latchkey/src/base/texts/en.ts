/**
 * The texts in English, by page. `{name}` is a placeholder. If a number determines the form, there is one text for each
 * plural category (CLDR). Texts of providers and plugins are separate, so that only applications that use them load them.
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
  'sign-in.again': 'Sign-in failed. Please try again.',
  'sign-in.error.OAuthAccountNotLinked':
    'This email address already has an account. Sign in the same way as the first time.',
  'sign-in.error.EmailSignin': 'The mail could not be sent. Check the address and try again.',
  'sign-in.error.CredentialsSignin':
    'Sign-in failed. Check that what you entered is correct and try again.',
  'sign-in.error.AccountNotLinked':
    'Sign-in failed. This passkey or email address belongs to another account. Sign in to that account first.',
  'sign-in.error.SessionLimit':
    'You are signed in on the maximum number of devices. Sign out on one of them, and try again.',
  'sign-in.error.ReauthenticationRequired':
    'To add a way to sign in, first sign in again in a way that you already use.',
  'sign-in.cancelled': 'You cancelled the sign-in with {provider}.',
  'sign-in.error.SessionRequired': 'Please sign in to see this page.',
  'sign-in.error.MissingCSRF':
    'This form was open for too long or came from another site. Please try again.',

  'confirm.heading': 'Sign in to {host}?',
  'confirm.lead':
    'You opened a sign-in link for {email}. If you did not request it, close this page.',

  'verify-request.title': 'Check your email',
  'verify-request.link':
    'A sign-in link is on its way to you. Open it on this device to sign in with one click.',
  'verify-request.link-and-code':
    'A sign-in link and a code are on their way to you. Open the link on this device, or enter the code here.',
  'verify-request.code': 'Code from the mail',
  'verify-request.help': 'No mail? Check your spam folder, or check the address and {again}.',
  'verify-request.again': 'ask again',
  'verify-request.error.WrongCode': 'This code is wrong. Use the code of the latest mail.',
  'verify-request.error.TooManyAttempts':
    'There were too many wrong codes. Open the link in the mail to sign in.',

  'sign-out.title': 'Sign out',
  'sign-out.heading': 'Sign out?',
  'sign-out.site': 'of {host}',
  'sign-out.submit': 'Sign out',
  'sign-out.stay': 'Stay signed in',

  'error.Configuration.title': 'The server is not set up correctly',
  'error.Configuration.text':
    'The server cannot complete this request. The details are in the log of the server.',
  'error.SignInExpired.title': 'This sign-in has expired or was already used',
  'error.SignInExpired.text': 'Nothing is wrong with your account. Begin the sign-in again.',
  'error.AccessDenied.title': 'Access denied',
  'error.AccessDenied.text': 'You do not have permission to sign in.',
  'error.Forbidden.title': 'You may not see this page',
  'error.Forbidden.text': 'You are signed in, but your account has no permission for it.',
  'error.Verification.title': 'This link or code is no longer valid',
  'error.Verification.text':
    'It has already been used, or it has expired. Request a new one and try again.',
  'error.UnknownPage.title': 'There is no such page',
  'error.UnknownPage.text': 'Check the address, or sign in to go on.',
  'error.UnknownProvider.title': 'This sign-in method does not exist',
  'error.UnknownProvider.text':
    'The address is wrong, or this site no longer offers this method. Choose another one.',
  'error.SignOutError.title': 'You are still signed in',
  'error.SignOutError.text': 'The site could not end your session. Try again in a moment.',
  'error.TooManyAttempts.title': 'Too many attempts',
  'error.TooManyAttempts.text': 'There were too many attempts.',
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
  'mail.type': 'Or enter this code on the page where you started to sign in. Do not share it:',
  'mail.ignore': 'If you did not request this mail, you can ignore it.',
  'mail.title': 'Sign in',
  'mail.once': 'The link works once, for {time}.',
  'mail.submit': 'Sign in',
  'mail.code': 'Or enter this code on the page where you started to sign in:',
  'mail.secret': 'Do not share this code with anyone.',
} as const

/** Of the form for passkeys and its script; the script contains the English texts (`browser/passkey.ts`). */
export const passkeys = {
  'passkey.email': 'Email for your passkey',
  'passkey.email.example': 'you@example.com',
  'passkey.hint':
    'Leave the field empty to use one of your passkeys. A new address creates a new account.',
  'passkey.missing': 'Passkeys need a browser that supports them, with JavaScript enabled.',
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

/** Of the problems that routes of plugins return. */
export const problemTexts = {
  'problem.fields': 'Check these fields: {fields}.',
  'problem.invalid_input': 'A field of the form is missing or invalid.',
  'problem.invalid_code': 'This link or code is no longer valid.',
  'problem.csrf': 'The form has expired, or another site sent it. Try again.',
  'problem.unauthenticated': 'Please sign in first.',
  'problem.forbidden': 'You do not have permission to do this.',
  'problem.reauthentication_required': 'Please sign in again to continue.',
  'problem.not_found': 'This page does not exist.',
  'problem.method_not_allowed': 'This page does not support this request.',
  'problem.conflict': 'This was changed in the meantime. Reload the page and try again.',
  'problem.too_large': 'The request is too large.',
  'problem.unsupported_media_type': 'Send a form or JSON.',
  'problem.server_error':
    'The server could not complete this request. The details are in the log of the server.',
  'problem.too_many_attempts': 'There were too many attempts. Try again later.',
  'problem.session_unreadable':
    'The site cannot check at the moment whether you are signed in. Try again soon.',
  'problem.store_unavailable': 'This does not work at the moment. Try again soon.',
  'problem.mail_unavailable': 'The mail could not be sent. Try again in a moment.',
} as const
