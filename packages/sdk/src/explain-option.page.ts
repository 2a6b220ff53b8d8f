/** As in `explain-option.ts`, in fewer bytes. */
export const explainOption = (name: string): string => `check the option ${name}, see /docs/sdk#options of the service`
