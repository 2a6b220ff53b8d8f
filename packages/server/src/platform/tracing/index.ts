export {
  type Attributes,
  beginSpan,
  currentSpan,
  inScope,
  nameAction,
  noteRevision,
  type Span,
  type Tracing,
  traced,
  tracedAction,
} from './tracing.ts'
