import { idField } from '../../../fields.ts'

export const stagedQuery = {
  flagId: idField.optional().meta({ description: 'Only this flag: what a publish of it alone would make live.' }),
}
