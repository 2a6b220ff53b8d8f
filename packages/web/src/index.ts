export type {
  CssBlock,
  Goal,
  HtmlNode,
  Position,
  ServedChange,
  ServedExperiment,
  ServedVariation,
  WebDocument,
} from './document.ts'
export { marked } from './own-work.ts'
export { type EngineName, engineFor, engineNames, partNames, previewEngineFor } from './parts.ts'
export { type Served, type ServedCode, scriptOf } from './script.ts'
