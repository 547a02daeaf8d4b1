// Before the headers of a unit that outlines supersteps: what they declare as kernels are functions of the same body, which the entries of
// outline.cuh call one after the other, with a barrier of the grid where one launch would follow another (Pai and Pingali 2016, section 4.1).
#undef SGG_KERNEL_OF
#undef SGG_KERNEL
#define SGG_KERNEL_OF(name, blocks) SGG_DEVICE void sgg_phase_##name(const Frame& f)
#define SGG_KERNEL(name) SGG_KERNEL_OF(name, 0)
