/** As in `body.ts`, in fewer bytes: the browser decodes, and limits what a page can hold. */
export const readBody = (response: Response): Promise<string> => response.text()
