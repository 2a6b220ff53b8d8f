import { type ComponentProps, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from 'react'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'type'> {
  /** It does nothing now. */
  isOff?: boolean
}

/** A button that keeps the focus while it is off: otherwise, the last step of many would lose the place of the keyboard. */
export const Button = ({ isOff = false, onClick, ...others }: ButtonProps) => (
  <button {...others} type="button" aria-disabled={isOff} onClick={isOff ? undefined : onClick} />
)

/** A button with an icon, whose name is its tooltip too. */
export const IconButton = ({ name, ...others }: ButtonProps & { name: string }) => (
  <Button {...others} className="icon" aria-label={name} title={name} />
)

/** Puts the focus on an element when it appears, and never again. */
export function useFirstFocus<Focused extends HTMLElement>() {
  const found = useRef<Focused>(null)
  useEffect(() => found.current?.focus(), [])
  return found
}

/** Puts the focus on the element with this id when something that had it is closed. */
export function useFocusAfter(isOpen: boolean, id: string): void {
  const was = useRef(isOpen)
  useEffect(() => {
    if (was.current && !isOpen) document.getElementById(id)?.focus()
    was.current = isOpen
  }, [isOpen, id])
}

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  placeholder?: string
  /** The person goes on to something else. */
  onLeave?: () => void
  /** What is wrong with the value. */
  fault?: string | undefined
  hint?: string | undefined
}

/** A text on one line. */
export function Field({ label, value, onChange, onLeave, placeholder, fault, hint }: FieldProps) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onLeave}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-note`}
      />
      <Note id={`${id}-note`} fault={fault} hint={hint} />
    </div>
  )
}

/** A text on several lines. */
export function Area({
  label,
  value,
  onChange,
  placeholder,
  fault,
  hint,
  isCode = false,
}: FieldProps & { isCode?: boolean }) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        className={isCode ? 'code' : undefined}
        rows={isCode ? 5 : 3}
        value={value}
        placeholder={placeholder}
        onChange={(event) => onChange(event.target.value)}
        spellCheck={!isCode}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-note`}
      />
      <Note id={`${id}-note`} fault={fault} hint={hint} />
    </div>
  )
}

const Note = ({ id, fault, hint }: { id: string; fault: string | undefined; hint: string | undefined }) => (
  <p id={id} className={fault === undefined ? 'hint' : 'fault'} hidden={fault === undefined && hint === undefined}>
    {fault ?? hint}
  </p>
)

/** One of a few. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
}: {
  label: string
  value: Value
  options: readonly (readonly [value: Value, name: string])[]
  onChange: (value: Value) => void
}) {
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}

/** A part of the panel that can be folded. */
export const Group = ({
  title,
  isOpen = false,
  children,
}: {
  title: string
  isOpen?: boolean
  children: ReactNode
}) => (
  <details className="group" open={isOpen}>
    <summary>
      <h2>{title}</h2>
    </summary>
    <div className="inside">{children}</div>
  </details>
)

/** One of a few parts is shown. Arrows go from one to the next. */
export function Tabs<Name extends string>({
  label,
  names,
  chosen,
  onChoose,
}: {
  label: string
  names: Record<Name, string>
  chosen: Name
  onChoose: (name: Name) => void
}) {
  const all = Object.keys(names) as Name[]
  const onKey = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (by === undefined) return
    const next = all[(all.indexOf(chosen) + by + all.length) % all.length]!
    onChoose(next)
    document.getElementById(`tab-${next}`)?.focus()
  }
  return (
    <div className="tabs" role="tablist" aria-label={label} onKeyDown={onKey}>
      {all.map((name) => (
        <button
          key={name}
          id={`tab-${name}`}
          type="button"
          role="tab"
          aria-selected={name === chosen}
          aria-controls="panel"
          tabIndex={name === chosen ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {names[name]}
        </button>
      ))}
    </div>
  )
}
