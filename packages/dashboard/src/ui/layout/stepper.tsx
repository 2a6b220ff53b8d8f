import classes from './stepper.module.css'

interface StepperProps<Step extends string> {
  /** What the steps lead to. Only for screen readers. */
  label: string
  steps: readonly { step: Step; title: string }[]
  current: Step
  /** Steps can be jumped; without this, the first one has to be done first. */
  onStep?: (step: Step) => void
}

/** Where a person is in a form of several steps. Each step has an address, so the page decides which is shown. */
export function Stepper<Step extends string>({ label, steps, current, onStep }: StepperProps<Step>) {
  const propsOf = (step: Step) => ({
    className: classes.step,
    'aria-current': step === current ? ('step' as const) : undefined,
  })
  return (
    <ol className={classes.steps} aria-label={label}>
      {steps.map(({ step, title }, at) => (
        <li key={step}>
          {onStep ? (
            <button type="button" {...propsOf(step)} onClick={() => onStep(step)}>
              <Words place={at + 1} title={title} />
            </button>
          ) : (
            <span {...propsOf(step)}>
              <Words place={at + 1} title={title} />
            </span>
          )}
        </li>
      ))}
    </ol>
  )
}

function Words({ place, title }: { place: number; title: string }) {
  return (
    <>
      <span className={classes.number}>{place}</span>
      <span className={classes.title}>{title}</span>
    </>
  )
}
