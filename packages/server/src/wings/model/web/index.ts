export {
  type Change,
  type ChangesBody,
  type ChangeType,
  changeSchema,
  changesBody,
  changesBodyOf,
  maxChanges,
  unknownPages,
} from './changes.ts'
export { codeFault, maxCodeLength } from './code.ts'
export {
  activationField,
  activationSelectorFault,
  activationSelectorField,
  applyAtField,
  changesSomething,
  firstWebContent,
  noContent,
  type VariationContent,
  type WebContent,
} from './content.ts'
export { variationDifferences, webDifferences } from './differences.ts'
export { type ServedExperiment, servedCode, webDocument } from './document.ts'
export { type HandOff, type HandOffSource, handOff } from './hand-off.ts'
export { hostAllowed } from './hosts.ts'
export { contextOfPage } from './page-context.ts'
export { maxPages, type Page, pageSchema, pagesField, pagesThatHold } from './pages.ts'
export { type Redirect, redirectSchema, refusesBoth } from './redirect.ts'
export { selectorField } from './selector.ts'
export { defaultWebSettings, type WebSettings, webSettingsBody } from './settings.ts'
