/**
 * The texts in English, by page. `{name}` is a placeholder. If a number determines the form, there is one text for each
 * plural category (CLDR). Texts of providers and plugins are separate, so that only applications that use them load them.
 *
 * @module
 */

/** Of pages; also the times in mails. */
export const en = {
  'page.back': 'Back to {name}',
  'page.error': 'Error: {title}',
  'page.show': 'Show password',
  'page.caps': 'Caps Lock is on.',
  'page.cancel': 'Cancel',
  'page.terms': 'Terms',
  'page.privacy': 'Privacy',
  'page.imprint': 'Imprint',
  'page.support': 'Get help',
  'time.minutes': { one: '{count} minute', other: '{count} minutes' },
  'time.hours': { one: '{count} hour', other: '{count} hours' },
  'time.days': { one: '{count} day', other: '{count} days' },

  'reauthenticate.title': 'Confirm that it is you',
  'reauthenticate.lead': {
    one: 'For this step, you must have signed in within the last {count} minute.',
    other: 'For this step, you must have signed in within the last {count} minutes.',
  },
  'reauthenticate.lead.any': 'For this step, prove your identity once more.',
  'reauthenticate.lead.second': 'This step needs your second factor.',
  'reauthenticate.submit': 'Confirm',
  'reauthenticate.or': 'or',
  'reauthenticate.provider': 'Sign in again with {provider}',
  'reauthenticate.wrong': 'That did not prove it. Try again, or choose another way.',
  'reauthenticate.limited': 'There were too many attempts. Try again later, or choose another way.',
  'reauthenticate.none': 'Your account has no way to confirm this here. Sign in again.',
  'reauthenticate.no-second': 'This step needs a second factor, and your account has none yet.',
  'reauthenticate.set-up': 'Set up a second factor',

  'account.title': 'Your account',
  'account.lead': 'Who you are here, and what belongs to your account.',
  'account.navigation': 'Account',
  'account.overview': 'Overview',
  'account.skip': 'Skip to content',
  'account.open': 'Open',
  'account.profile': 'Profile',
  'account.sections': 'What belongs to it',

  'sign-in.title': 'Sign in to {name}',
  'sign-in.choose': 'Choose how you want to sign in.',
  'sign-in.nothing': 'There is no way to sign in here.',
  'sign-in.mail': 'Enter your email address. We send you a link.',
  'sign-in.mail-code': 'Enter your email address. We send you a code.',
  'sign-in.or': 'or',
  'sign-in.more': 'More ways',
  'sign-in.last-used': 'Last used',
  'sign-in.continue': 'Continue with {name}',
  'sign-in.with': 'Sign in with {name}',
  'sign-in.submit': 'Sign in',
  'sign-in.next': 'Continue',
  'sign-in.change': 'Change',
  'sign-in.email': 'Email address',
  'sign-in.email-or-name': 'Email address or user name',
  'sign-in.email.example': 'you@example.com',
  'sign-in.password': 'Password',
  'sign-in.forgot': 'Forgot password?',
  'sign-in.send': 'Send me a sign-in link',
  'sign-in.send-instead': 'Email me a sign-in link',
  'sign-in.send-code': 'Send me a sign-in code',
  'sign-in.send-code-instead': 'Email me a sign-in code',
  'sign-in.new': 'New to {name}? {link}',
  'sign-in.create': 'Create an account',
  'sign-in.again': 'The sign-in did not work. Try again.',
  'sign-in.other-way': 'The sign-in did not work. Try again, or choose another way.',
  'sign-in.wrong.address': 'Wrong email address or password.',
  'sign-in.wrong': 'What you entered is wrong.',
  'sign-in.wrong.check': 'Check what you entered, and try again.',
  'sign-in.wrong.reset': 'Check what you entered, or {link}.',
  'sign-in.wrong.reset.link': 'reset your password',
  'sign-in.wait': 'Too many attempts. Wait {time}, then try again.',
  'sign-in.no-address': 'Write the whole address, for example you@example.com.',
  'sign-in.error.OAuthAccountNotLinked':
    'This email address already has an account. Sign in the same way as the first time.',
  'sign-in.error.EmailSignin':
    'The mail could not be sent. Check the address, or try again in a moment.',
  'sign-in.error.CredentialsSignin':
    'Sign-in failed. Check that what you entered is correct and try again.',
  'sign-in.error.AccountNotLinked':
    'This passkey or email address belongs to another account. Sign in to that account first.',
  'sign-in.error.SessionLimit':
    'You are signed in on the maximum number of devices. Sign out on one of them, and try again.',
  'sign-in.error.PendingExpired':
    'The sign-in was not finished within ten minutes, or was ended. Start again.',
  'sign-in.error.ReauthenticationRequired':
    'To add a way to sign in, first sign in again in a way that you already use.',
  'sign-in.error.TooManyAttempts': 'Too many attempts. Wait some minutes, then try again.',
  'sign-in.cancelled': 'You cancelled the sign-in with {provider}.',
  'sign-in.error.SessionRequired': 'Sign in to see this page. You come back to it right after.',
  'sign-in.error.MissingCSRF':
    'This form was open for too long, or came from another site. Try again.',

  'signed-in.title': 'You are signed in',
  'signed-in.lead': 'Continue to {name} with this account?',
  'signed-in.continue': 'Continue',
  'signed-in.other': 'Use another account',

  'confirm.heading': 'Sign in to {name}?',
  'confirm.lead': 'You opened a sign-in link for {email} in a browser that did not ask for it.',
  'confirm.provider': '{provider} sent you here to sign in.',
  'confirm.submit': 'Sign in here',
  'confirm.note': 'If nobody you know asked for this link, close this page. Nothing happens.',

  'verify-request.title': 'Check your email',
  'verify-request.link': 'We sent a sign-in link to {email}. Open it on this device.',
  'verify-request.link-and-code':
    'We sent a sign-in link and a code to {email}. Open the link on this device, or enter the code.',
  'verify-request.link.unknown': 'We sent you a sign-in link. Open it on this device.',
  'verify-request.code': 'Code from the email',
  'verify-request.resend': 'Send a new email',
  'verify-request.resend.wait': 'Send a new email in {seconds} s',
  'verify-request.help': 'Nothing there? Look in the spam folder, and check the address.',
  'verify-request.mailbox': 'Open the mailbox',
  'verify-request.other': 'Use another address',
  'verify-request.error.WrongCode': 'This code is wrong. Use the code from the latest email.',
  'verify-request.error.TooManyAttempts':
    'Too many wrong codes. Open the link in the email to sign in.',

  'sign-out.heading': 'Sign out of {name}?',
  'sign-out.as': 'You are signed in as {person}.',
  'sign-out.submit': 'Sign out',
  'sign-out.stay': 'Stay signed in',
  'signed-out.title': 'You are signed out',
  'signed-out.lead': 'This browser no longer has access to your account.',
  'signed-out.again': 'Sign in again',

  'error.Configuration.title': 'Sorry, sign-in is not available',
  'error.Configuration.text':
    'Something is wrong on our side, not on yours. We have recorded the details.',
  'error.SignInExpired.title': 'This sign-in has expired or was opened twice',
  'error.SignInExpired.text':
    'That happens after a long break, with the “back” button, or in two tabs. Nothing is lost.',
  'error.AccessDenied.title': 'You cannot sign in with this account',
  'error.AccessDenied.text':
    'If you have another account, use it, or ask the people who run {name}.',
  'error.Forbidden.title': 'You may not see this page',
  'error.Forbidden.text': 'You are signed in, but your account has no permission for it.',
  'error.Verification.title': 'This link or code is no longer valid',
  'error.Verification.text': 'It has been used, or it has expired. Ask for a new one.',
  'error.UnknownPage.title': 'There is no such page',
  'error.UnknownPage.text': 'Check the address, or sign in to go on.',
  'error.UnknownProvider.title': 'This sign-in method does not exist',
  'error.UnknownProvider.text':
    'The address is wrong, or this site no longer offers this method. Choose another one.',
  'error.SignOutError.title': 'You are still signed in',
  'error.SignOutError.text': 'The site could not end your session. Try again in a moment.',
  'error.TooManyAttempts.title': 'Too many attempts',
  'error.TooManyAttempts.text': 'This protects your account.',
  'error.WebAuthnVerificationError.title': 'The passkey was not accepted',
  'error.WebAuthnVerificationError.text':
    'It could not be checked. Try again, or sign in another way.',
  'error.other.title': 'Something went wrong',
  'error.other.text': 'That did not work. Go back to the site and try again.',
  'error.wait': 'Wait {time}, then try again.',
  'error.retry': 'Try again',
  'error.restart': 'Start again',
  'error.reference': 'If you write to us, mention the reference {reference}, {time}.',
} as const

/** Of mails; also of those that plugins write. */
export const mails = {
  'mail.subject': 'Sign in to {name}',
  'mail.subject.code': '{code} is your {name} sign-in code',
  'mail.title': 'Sign in to {name}',
  'mail.open': 'Open this link on the device where you asked for it:',
  'mail.submit': 'Sign in to {name}',
  'mail.code': 'Or enter this code there:',
  'mail.once': 'The link works once, for {time}.',
  'mail.once.code': 'Link and code work once, for {time}.',
  'mail.secret': 'Do not give the code to anyone; {name} never asks for it.',
  'mail.requested': 'Asked for on {time}.',
  'mail.requested.in': 'Asked for on {time} in {device}.',
  'mail.device': '{browser} on {system}',
  'mail.ignore': 'If that was not you, ignore this mail: nobody can sign in without it.',
  'mail.site': '{name}, {address}',
} as const

/** Of the form for passkeys and its script; the script contains the English texts (`browser/passkey.ts`). */
export const passkeys = {
  'passkey.use': 'Use a passkey',
  'passkey.email': 'Email for your passkey',
  'passkey.email.example': 'you@example.com',
  'passkey.hint':
    'Leave the field empty to use one of your passkeys. A new address creates a new account.',
  'passkey.missing': 'Passkeys need a browser that supports them, with JavaScript enabled.',
  'passkey.script.input': 'Check what you entered and try again.',
  'passkey.script.unreachable': 'The site could not be reached. Try again.',
  'passkey.script.failed': 'The site could not do this right now. Try again later.',
  'passkey.script.registered':
    'This device has a passkey for this account already. Sign in with it.',
  'passkey.script.unable': 'This device cannot make such a passkey. Try another one.',
  'passkey.script.cancelled':
    'Nothing happened: it was cancelled, there is no passkey for it here, or it took too long. Try again.',
  'passkey.script.other': 'That did not work. Try again.',
} as const

/** Of the problems that routes of plugins return. */
export const problemTexts = {
  'problem.fields': 'Check these fields: {fields}.',
  'problem.nothing-done': 'Nothing has been changed.',
  'problem.invalid_input': 'A field of the form is missing or invalid.',
  'problem.invalid_code': 'This link or code is not valid.',
  'problem.csrf': 'The form has expired, or another site sent it. Try again.',
  'problem.unauthenticated': 'Sign in first.',
  'problem.forbidden': 'You do not have permission to do this.',
  'problem.reauthentication_required': 'Sign in again to continue.',
  'problem.address_unproved': 'Confirm your email address first.',
  'problem.challenge_required': 'Confirm that you are not a program, and try again.',
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
