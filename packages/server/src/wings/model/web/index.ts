export {
  type Change,
  type ChangesBody,
  type ChangeType,
  changeSchema,
  changesBody,
  changesBodyOf,
  maxChanges,
  positionField,
  unknownPages,
} from './changes.ts'
export { codeFault, codeVersion, maxCodeLength } from './code.ts'
export {
  activationField,
  activationSelectorFault,
  activationSelectorField,
  applyAtField,
  changesSomething,
  firstWebContent,
  noContent,
  plainContent,
  type VariationContent,
  type WebContent,
} from './content.ts'
export { variationDifferences, webDifferences } from './differences.ts'
export { type ServedCode, type ServedExperiment, servedCode, type UnreadableChange, webDocument } from './document.ts'
export { contentFaults } from './faults.ts'
export { type HandOff, type HandOffSource, handOff, handOffSources } from './hand-off.ts'
export { hostAllowed, sameSite } from './hosts.ts'
export { missingToServe } from './missing.ts'
export { contextOfPage } from './page-context.ts'
export { maxPages, type Page, pageSchema, pagesField, pagesThatHold } from './pages.ts'
export { shiftsItself } from './positions.ts'
export { type Redirect, redirectSchema, refusesBoth } from './redirect.ts'
export { contentMember, settingsMember, type WebSection, webSectionOf } from './section.ts'
export { selectorField } from './selector.ts'
export { defaultWebSettings, type WebSettings, webSettingsBody, webSettingsSchema } from './settings.ts'
export { goalOf, type Trigger, triggerField, triggerSchema } from './trigger.ts'
