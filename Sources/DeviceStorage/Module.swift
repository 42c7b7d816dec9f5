// Storage of suspended devices, below the model.
// Here: records of differences, the store that they lie in, a suspended device's entry without its record.
// Here: a queue by instants; coders that write a state field by field, or read it with every check.
// Not here: the meaning of any field (People and Fleet list their own), requests, people, widgets.
// Memory is plain: a value is its bytes, and a record the bytes in which it differs from others of its sort.
