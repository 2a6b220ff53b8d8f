import {
  cloneElement,
  type FocusEvent,
  type HTMLAttributes,
  lazy,
  type PointerEvent,
  type ReactElement,
  type ReactNode,
  Suspense,
  useId,
  useState,
} from 'react'

const ShownHint = lazy(async () => ({ default: (await import('./shown-hint.tsx')).ShownHint }))

interface HintProps {
  label: ReactNode
  disabled?: boolean
  /** The element that the hint is about. */
  children: ReactElement<HTMLAttributes<HTMLElement>>
}

/**
 * Says more about an element while a person points at it, touches it or reaches it with the keyboard. What places a hint
 * is a tenth of a first visit, so it is loaded only then.
 */
export function Hint({ label, disabled = false, children }: HintProps) {
  const [target, setTarget] = useState<HTMLElement | null>(null)
  const id = useId()
  const { props } = children
  const hide = () => setTarget(null)
  const isShown = target !== null && !disabled
  const handlers = {
    ...(isShown && { 'aria-describedby': id }),
    onPointerEnter: (event: PointerEvent<HTMLElement>) => {
      props.onPointerEnter?.(event)
      setTarget(event.currentTarget)
    },
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      props.onPointerLeave?.(event)
      hide()
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      props.onFocus?.(event)
      if (event.currentTarget.matches(':focus-visible')) setTarget(event.currentTarget)
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      props.onBlur?.(event)
      hide()
    },
  }
  return (
    <>
      {cloneElement(children, handlers)}
      {isShown && (
        <Suspense fallback={null}>
          <ShownHint id={id} target={target} label={label} hide={hide} />
        </Suspense>
      )}
    </>
  )
}
