/** The texts of pages and mails, by language and key. */
export const texts = {
  en: {
    'emailCode:ask': 'Sign in with a code',
    'emailCode:ask.lead': 'We send you a code by email.',
    'emailCode:email': 'Email address',
    'emailCode:email.invalid': 'This is not an email address.',
    'emailCode:address_not_accepted': 'Addresses of this service are not accepted.',
    'emailCode:send': 'Send me a sign-in code',
    'emailCode:title': 'Enter the code',
    'emailCode:lead': 'We sent a code to {email}. It works in this browser only.',
    'emailCode:code': 'Code from the email',
    'emailCode:code.wrong': 'This code is wrong, used or too old.',
    'emailCode:code.too-many':
      'There were too many attempts. Wait {time}, then ask for another code.',
    'emailCode:submit': 'Sign in',
    'emailCode:again': 'Send a new code',
    'emailCode:waiting': 'Send a new code in % s',
    'emailCode:mailbox': 'Open the mailbox',
    'emailCode:help': 'Nothing there? Look in the spam folder, and check the address.',
    'emailCode:other': 'Use another address',
    'emailCode:mail.subject': '{code} is your {name} sign-in code',
    'emailCode:mail.title': 'Sign in to {name}',
    'emailCode:mail.body': 'Enter this code where you asked for it:',
    'emailCode:mail.once': {
      one: 'It works once, within {count} minute.',
      other: 'It works once, within {count} minutes.',
    },
    'emailCode:mail.secret': 'Do not give the code to anyone; {name} never asks for it.',
    'emailCode:mail.ignore':
      'If that was not you, ignore this mail: nobody can sign in without it.',
    'emailCode:prove': 'Email me a code',
    'emailCode:prove.lead': 'We send a code to {email}.',
    'emailCode:prove.sent': 'We sent a code to {email}. It works in this session only.',
    'emailCode:prove.mail.subject': '{code} is your {name} code',
    'emailCode:prove.mail.title': 'Confirm that it is you',
    'emailCode:prove.mail.ignore':
      'If that was not you, somebody else is signed in to your account: end the sessions that you do not know.',
  },
} as const

export type EmailCodeKey = keyof (typeof texts)['en']
