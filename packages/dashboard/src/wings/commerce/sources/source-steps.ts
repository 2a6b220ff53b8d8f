/** The way from a file to a catalog that stays up to date. Each step is the name of a panel in the address. */
export const sourceSteps = [
  { step: 'from', title: 'Where from' },
  { step: 'preview', title: 'Preview' },
  { step: 'guards', title: 'Guards' },
  { step: 'schedule', title: 'Schedule' },
] as const

export type SourceStep = (typeof sourceSteps)[number]['step']

/** The step that the address names. `edit`, which the key `E` opens, is the first one. */
export const stepIn = (panel: string): SourceStep | undefined =>
  panel === 'edit' ? 'from' : sourceSteps.find(({ step }) => step === panel)?.step

/** Undefined after the last one. */
export const stepAfter = (step: SourceStep): SourceStep | undefined =>
  sourceSteps[sourceSteps.findIndex((each) => each.step === step) + 1]?.step

export const titleOf = (step: SourceStep): string => sourceSteps.find((each) => each.step === step)!.title
