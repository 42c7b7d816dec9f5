// Storage of suspended devices, below the model.
//
// Here belongs what keeps many values of plain memory small and finds them soon: records of differences, the store that they lie in, what is known of a suspended
// device without its record, a queue by instants, and coders that write a state field by field or read it with every check.
// Here does not belong what a device is: people, widgets, requests, and what any field means. Fleet and People list their own fields.
