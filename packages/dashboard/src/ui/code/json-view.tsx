import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { counted } from '../words/lists.ts'
import { CopyButton } from './copy-button.tsx'
import { type JsonNode, jsonNode } from './json-lines.ts'
import classes from './json-view.module.css'

/** Above this, only the size is shown, and the text can be copied. */
const maxCharacters = 1_000_000
/** Parts below this level, and long ones, are folded at first. */
const openLevels = 2
const openParts = 50

interface JsonViewProps {
  /** What it is: "Request", "Answer". */
  label: string
  value: unknown
}

/** A JSON value as text, with objects and lists that fold. Never markup: a value is shown as it is. */
export function JsonView({ label, value }: JsonViewProps) {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? 'null', [value])
  const isLarge = text.length > maxCharacters
  return (
    <div className={classes.frame}>
      <div className={classes.bar}>
        <span>{label}</span>
        <CopyButton text={text} label="Copy" size="xs" what={label} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.text} tabIndex={0} aria-label={label} translate="no">
        {isLarge ? (
          <span className={classes.folded}>
            {counted(text.length, 'character')}: too long to show. Copy it instead.
          </span>
        ) : (
          <div className={classes.top}>
            <Node node={jsonNode(value)} level={0} />
          </div>
        )}
      </section>
    </div>
  )
}

function Node({ node: { name, text, parts, isLast }, level }: { node: JsonNode; level: number }) {
  const [isOpen, setIsOpen] = useState(level < openLevels && (parts?.count ?? 0) <= openParts)
  const end = isLast ? '' : ','
  const label = <span className={classes.name}>{name}</span>
  if (!parts)
    return (
      <div>
        {label}
        {text}
        {end}
      </div>
    )
  const Chevron = isOpen ? IconChevronDown : IconChevronRight
  return (
    <div>
      <button
        type="button"
        className={classes.fold}
        aria-expanded={isOpen}
        aria-label={`${name.replace(/: $/, '') || 'The whole value'}, ${counted(parts.count, 'part')}`}
        onClick={() => setIsOpen(!isOpen)}
      >
        <Chevron size={14} aria-hidden />
      </button>
      {label}
      {parts.open}
      {isOpen ? (
        <div className={classes.parts}>
          {parts.nodes().map((part, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a value have no other identity
            <Node key={index} node={part} level={level + 1} />
          ))}
        </div>
      ) : (
        <span className={classes.folded}> {counted(parts.count, 'part')} </span>
      )}
      {parts.close}
      {end}
    </div>
  )
}
