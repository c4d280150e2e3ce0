import { courses } from './courses.ts'
import { agree, type Configuration, defaults, names } from './options.ts'
import { siteOf } from './site.ts'

export const suits = (course: string, choice: Configuration): boolean =>
  courses[course]?.suits?.(choice) ?? true

/** Plays a course. @returns what does not hold; `undefined` if everything does. */
export async function faultOf(course: string, choice: Configuration): Promise<string | undefined> {
  const site = await siteOf(choice)
  try {
    await courses[course]?.play(site)
    return site.found.wrong[0]
  } catch (error) {
    return site.found.wrong[0] ?? String(error)
  } finally {
    await site.close()
  }
}

/** The factors of a configuration that differ from their defaults. */
export function shown(choice: Configuration): string {
  const other = names.filter((name) => choice[name] !== defaults[name])
  return `{ ${other.map((name) => `${name}: ${choice[name]}`).join(', ')} }`
}

/** Sets one factor after the other to its default while the course still fails. */
export async function smallest(course: string, failing: Configuration): Promise<Configuration> {
  let choice = failing
  for (let hasChanged = true; hasChanged; ) {
    hasChanged = false
    for (const name of names) {
      if (choice[name] === defaults[name]) continue
      const smaller: Configuration = { ...choice, [name]: defaults[name] }
      if (!isValid(smaller) || !suits(course, smaller)) continue
      if ((await faultOf(course, smaller)) === undefined) continue
      choice = smaller
      hasChanged = true
    }
  }
  return choice
}

function isValid(choice: Configuration): boolean {
  return names.every((one) =>
    names.every((other) => one === other || agree(one, choice[one], other, choice[other])),
  )
}
