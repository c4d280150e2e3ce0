import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build, type Plugin } from 'esbuild'
import { compile } from 'svelte/compiler'
import { describe, expect, test } from 'vitest'

// What an application's server sends of the components. They run in a real one in the tests of the examples.

/** A page for each case. What stands within a form was an element with `slot`, before it was a snippet. */
const pages: Readonly<Record<string, string>> = {
  plain: '<SignIn /><SignOut />',
  provider: `
    <SignIn
      provider="github"
      className="wide"
      id="in"
      data-test="yes"
      options={{ redirectTo: '/next', redirect: false, login: undefined, tenant: 7 }}
      authorizationParams={{ prompt: 'login' }}
    />
    <SignOut className="narrow" id="out" options={{ redirectTo: '/bye' }} />`,
  'other forms of the same': `
    <SignIn provider="acme" options={form} authorizationParams="prompt=login" />
    <SignIn provider="acme" authorizationParams={new URLSearchParams({ hint: 'a&b' })} />
    <SignIn provider="acme" authorizationParams={[['scope', 'a']]} />`,
  'other pages': `
    <SignIn signInPage="?/signIn" />
    <SignIn signInPage="/members/enter" />
    <SignOut signOutPage="//leave" />`,
  mail: `
    {#each ${JSON.stringify(mailProviders())} as provider}<SignIn {provider} />{/each}
    <SignIn provider="github" />
    <SignIn provider="resend" options={{ email: 'ada@example.org' }} />`,
  slots: `
    <SignIn provider="sendgrid"><b slot="submitButton">Go</b><i slot="email">Mail</i></SignIn>
    <SignIn provider="ldap"><i slot="credentials">Password</i></SignIn>
    <SignOut><b slot="submitButton">Leave</b></SignOut>`,
  snippets: `
    <SignIn provider="sendgrid">
      {#snippet submitButton()}<b>Go</b>{/snippet}{#snippet email()}<i>Mail</i>{/snippet}
    </SignIn>
    <SignIn provider="ldap">{#snippet credentials()}<i>Password</i>{/snippet}</SignIn>
    <SignOut>{#snippet submitButton()}<b>Leave</b>{/snippet}</SignOut>`,
}

const SCRIPT = `<script>
  import { SignIn, SignOut } from './sveltekit-components.ts'
  const form = new FormData()
  form.set('redirectTo', '/next')
</script>`

/** As SvelteKit compiles them; `runes` are what an application may demand of everything. */
function svelte(runes: true | undefined): Plugin {
  const compiled = (source: string, filename: string, all?: true): string =>
    compile(source, { generate: 'server', filename, ...(all && { runes: all }) }).js.code
  return {
    name: 'svelte',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^page:/ }, ({ path }) => ({ path, namespace: 'page' }))
      onLoad({ filter: /.*/, namespace: 'page' }, ({ path }) => ({
        contents: compiled(SCRIPT + pages[path.slice('page:'.length)], 'page.svelte', runes),
        resolveDir: import.meta.dirname,
      }))
      onLoad({ filter: /\.svelte$/ }, ({ path }) => ({
        contents: compiled(readFileSync(path, 'utf8'), path, runes),
        resolveDir: dirname(path),
      }))
      onResolve({ filter: /^\$app\// }, ({ path }) => ({ path, namespace: 'kit' }))
      onLoad({ filter: /.*/, namespace: 'kit' }, () => ({
        contents: `export const enhance = () => {}, resolve = (path) => '/app' + path`,
      }))
    },
  }
}

/** What the server sends of each page, without the marks for the scripts. */
async function render(runes?: true): Promise<Record<string, string>> {
  const imports = Object.keys(pages).map(
    (name, i) => `import p${i} from ${JSON.stringify(`page:${name}`)}`,
  )
  const list = Object.keys(pages).map((name, i) => `${JSON.stringify(name)}: render(p${i}).body`)
  const { outputFiles } = await build({
    stdin: {
      contents: `import { render } from 'svelte/server'
        ${imports.join('\n')}
        export const bodies = { ${list.join()} }`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    plugins: [svelte(runes)],
  })
  const code = Buffer.from(outputFiles[0]?.text ?? '').toString('base64')
  const { bodies } = (await import(/* @vite-ignore */ `data:text/javascript;base64,${code}`)) as {
    bodies: Record<string, string>
  }
  return Object.fromEntries(
    Object.entries(bodies).map(([name, html]) => [name, html.replaceAll(/<!--.*?-->/g, '')]),
  )
}

/** Those of the catalogue that ask for nothing but an address. */
function mailProviders(): string[] {
  const folder = join(import.meta.dirname, '../providers')
  const modules = readdirSync(folder).filter((file) => /^(?!define\b)[\w-]+\.ts$/.test(file))
  const mail = modules.filter((file) =>
    /(?::|=>) EmailConfig\b/.test(readFileSync(join(folder, file), 'utf8')),
  )
  return mail.map((file) => file.slice(0, -'.ts'.length)).toSorted()
}

interface Form {
  /** The tag itself. */
  readonly form: string
  readonly fields: Record<string, string>
  /** What the button says. */
  readonly button: string
  /** What else the visitor sees. */
  readonly more: string
}

function formsIn(html = ''): Form[] {
  return Array.from(html.matchAll(/<form (.*?)>(.*?)<\/form>/gs), ([, form = '', inner = '']) => {
    const [, more = '', button = ''] =
      /^(.*)<button type="submit">(.*)<\/button>$/s.exec(inner) ?? []
    const hidden = /<input type="hidden" name="(.*?)" value="(.*?)"\/>/g
    return {
      form,
      fields: Object.fromEntries(
        Array.from(more.matchAll(hidden), ([, name, value]) => [name, value]),
      ),
      button,
      more: more.replaceAll(hidden, '').trim(),
    }
  })
}

describe.each([
  ['in an application as it comes', undefined],
  ['in one that has runes everywhere', true],
] as const)('the components for SvelteKit, %s', (_, runes) => {
  const rendered = render(runes)
  const formsOf = async (page: string): Promise<Form[]> => formsIn((await rendered)[page])

  test('are forms for the pages with the actions', async () => {
    expect(await formsOf('plain')).toEqual([
      {
        form: 'method="post" action="/app/signin" class="signInButton "',
        fields: { providerId: '' },
        button: 'Sign in',
        more: '',
      },
      {
        form: 'method="post" action="/app/signout" class="signOutButton "',
        fields: {},
        button: 'Sign out',
        more: '',
      },
    ])
    const actions = (await formsOf('other pages')).map(
      ({ form }) => /action="(.*?)"/.exec(form)?.[1],
    )
    expect(actions).toEqual(['/app/?/signIn', '/app/members/enter', '/app/leave'])
  })

  test('send the fields that the actions read, and pass other attributes on', async () => {
    const [signIn, signOut] = await formsOf('provider')
    expect(signIn).toEqual({
      form: 'method="post" action="/app/signin" class="signInButton wide" id="in" data-test="yes"',
      fields: {
        providerId: 'github',
        redirectTo: '/next',
        redirect: 'false',
        tenant: '7',
        'authorizationParams-prompt': 'login',
      },
      button: 'Sign in with github',
      more: '',
    })
    expect(signOut).toMatchObject({
      form: 'method="post" action="/app/signout" class="signOutButton narrow" id="out"',
      fields: { redirectTo: '/bye' },
    })
    expect((await formsOf('other forms of the same')).map(({ fields }) => fields)).toEqual([
      { providerId: 'acme', redirectTo: '/next', 'authorizationParams-prompt': 'login' },
      { providerId: 'acme', 'authorizationParams-hint': 'a&amp;b' },
      { providerId: 'acme', 'authorizationParams-scope': 'a' },
    ])
  })

  test('show one address field if a provider mails', async () => {
    const forms = await formsOf('mail')
    expect(mailProviders()).toEqual(expect.arrayContaining(['email', 'nodemailer', 'resend']))
    const asking = forms.filter(({ more }) => /<input type="email" name="email"/.test(more))
    expect(asking.map(({ fields }) => fields['providerId'])).toEqual(mailProviders())
    expect(forms.at(-1)?.fields).toEqual({ providerId: 'resend', email: 'ada@example.org' })
  })

  test.each(['slots', 'snippets'])('show their content as %s', async (page) => {
    const forms = (await formsOf(page)).map(({ form, button, more }) =>
      [form, button, more].map((html) => html.replace(/ slot="\w+"/, '')),
    )
    expect(forms).toEqual([
      ['method="post" action="/app/signin" class="signInButton "', '<b>Go</b>', '<i>Mail</i>'],
      [
        'method="post" action="/app/signin" class="signInButton "',
        'Sign in with ldap',
        '<i>Password</i>',
      ],
      ['method="post" action="/app/signout" class="signOutButton "', '<b>Leave</b>', ''],
    ])
  })
})
