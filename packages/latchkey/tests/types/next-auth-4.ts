// Compiled with the whole repository and never run: what applications on next-auth 4 have, and compiles unchanged.

import type { SessionStrategy } from '../../src/entries/types.ts'
import type { NextAuthConfig } from '../../src/integrations/next.ts'
import Credentials from '../../src/providers/credentials.ts'
import Email from '../../src/providers/email.ts'

const strategy: SessionStrategy = 'jwt'

declare function save(id: string, more?: string): Promise<void>

export const options: NextAuthConfig = {
  session: { strategy },
  providers: [
    // An application that sends the mail itself needs no server.
    Email({
      from: 'app@app.example',
      async sendVerificationRequest({ identifier, provider, url }) {
        await save(provider.from, identifier + url)
      },
    }),
    Email({ server: 'smtp://mail.example', from: 'app@app.example' }),
    Credentials({ credentials: {}, authorize: async () => ({ id: '1' }) }),
  ],
  callbacks: {
    async signIn({ user }) {
      await save(user.id)
      return true
    },
    jwt({ token, user }) {
      if (user) token.sub = user.id
      return token
    },
  },
  events: {
    createUser: ({ user }) => save(user.id),
    linkAccount: ({ user, profile }) => save(user.id, profile.id),
    signIn: ({ user }) => save(user.id),
    updateUser: ({ user }) => save(user.id),
  },
}
