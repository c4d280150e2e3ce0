/** Something that is left to a person. */
export interface Note {
  readonly path: string
  readonly line: number
  readonly text: string
}
