export { ENGLISH } from '../base/texts/texts.ts'
export {
  acts,
  avatar,
  type ButtonKind,
  type ButtonOptions,
  type CheckboxOptions,
  type Content,
  checkbox,
  codeField,
  empty,
  type FieldOptions,
  type FormOptions,
  facts,
  field,
  foreign,
  identity,
  leftToRight,
  linkButton,
  type Markup,
  notice,
  type Person,
  pane,
  passwordField,
  postForm,
  problemList,
  type RowOptions,
  row,
  type SectionOptions,
  type SelectOptions,
  type SubmitOptions,
  section,
  selectField,
  submitButton,
  type Tone,
  table,
  tag,
  textLink,
} from '../page-kit/components.ts'
export type { Part } from '../page-kit/hash-source.ts'
export { type IconName, iconNames } from '../page-kit/icon-names.ts'
export { icon } from '../page-kit/icons.ts'
export {
  type AccountFrame,
  type AccountLink,
  type DrawnPage,
  drawPage,
  nameOfLanguage,
  type PageContent,
} from '../page-kit/layout.ts'
export { providerMark } from '../page-kit/provider-mark.ts'
export { letterOf, type PageSite } from '../page-kit/site.ts'
