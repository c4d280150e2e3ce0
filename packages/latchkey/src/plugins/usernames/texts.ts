/** The texts of the plugin, by language and key. */
export const texts = {
  en: {
    'usernames:title': 'User name',
    'usernames:about': 'A name that nobody else has here.',
    'usernames:hint':
      '{least} to {most} characters: letters from a to z, digits, and single dots, hyphens or underscores between them.',
    'usernames:hint.length': '{least} to {most} characters.',
    'usernames:save': 'Save',
    'usernames:done': 'Your user name was saved.',
    'usernames:until': 'You can change your name again on {date}.',
    'usernames:too_short': {
      one: 'Use at least {count} character.',
      other: 'Use at least {count} characters.',
    },
    'usernames:too_long': {
      one: 'Use at most {count} character.',
      other: 'Use at most {count} characters.',
    },
    'usernames:not_allowed': 'This name is not allowed here. Choose another one.',
    'usernames:mixed_scripts': 'Use letters of one alphabet only.',
    'usernames:reserved': 'This name is reserved. Choose another one.',
    'usernames:taken': 'This name is taken. Choose another one.',
    'usernames:fixed': 'Your name cannot be changed.',
    'usernames:later': 'You changed your name a short time ago. You can change it again later.',
  },
} as const

export type UsernamesKey = keyof (typeof texts)['en']
