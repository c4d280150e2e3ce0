import { Command } from 'commander'

export function providersCommand(): Command {
  return new Command('providers')
    .description('List the providers of the catalogue, or what one of them needs.')
    .argument('[text...]', 'id, name or another name of a provider, or a part of one')
    .addHelpText(
      'after',
      `
Examples:
  latchkey providers               all of them
  latchkey providers github        what to set, and the callback URL to register
  latchkey providers azure         those with "azure" in a name
  latchkey providers hugging face`,
    )
    .action(async (words: string[]) => {
      const { printProviders } = await import('../print-providers.ts')
      await printProviders(words.join(' '))
    })
}
