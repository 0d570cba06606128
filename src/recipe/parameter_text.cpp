#include "parameter_text.hpp"

#include "terraway/core/option_range.hpp"

namespace tw::recipe {
namespace {

std::string choices_text(std::span<const std::string_view> choices) {
    std::string text;
    for (std::size_t i = 0; i < choices.size(); ++i) {
        if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
        text += choices[i];
    }
    return text;
}

}  // namespace

std::string bound_text(double bound) {
    // Larger than any whole number that a double tells from its neighbour: the seed's last.
    return bound == 0x1p64 ? "18446744073709551615" : number_text(bound);
}

std::string range_text(const Parameter& parameter) {
    switch (parameter.type) {
        case ParameterType::number:
        case ParameterType::integer:
        case ParameterType::pair: {
            std::string text = bound_text(parameter.low) + " to " + bound_text(parameter.high);
            if (!parameter.unit.empty()) text += " " + std::string(parameter.unit);
            return text;
        }
        case ParameterType::choice:
            return choices_text(parameter.choices);
        case ParameterType::text:
        case ParameterType::file:
            break;
    }
    return {};
}

void write_value(JsonWriter& writer, const Parameter& parameter, const ParameterValue& value) {
    if (const auto* number = std::get_if<double>(&value)) {
        writer.raw(number_text(*number));
    } else if (const auto* natural = std::get_if<std::uint64_t>(&value)) {
        if (parameter.type == ParameterType::choice) {
            writer.value(parameter.choices[*natural]);
        } else {
            writer.value(*natural);
        }
    } else if (const auto* pair = std::get_if<std::array<double, 2>>(&value)) {
        writer.raw("[" + number_text((*pair)[0]) + ", " + number_text((*pair)[1]) + "]");
    } else if (const auto* text = std::get_if<std::string>(&value)) {
        writer.value(std::string_view(*text));
    } else {
        writer.null();
    }
}

std::string quoted(std::string_view text) {
    JsonWriter writer;
    writer.value(text);
    return std::move(writer).take();
}

std::string_view section_of(const Parameter& parameter) {
    const std::size_t dot = parameter.path.find('.');
    return dot == std::string_view::npos ? std::string_view() : parameter.path.substr(0, dot);
}

std::string_view key_of(const Parameter& parameter) {
    return parameter.path.substr(parameter.path.find('.') + 1);  // npos + 1 is 0
}

}  // namespace tw::recipe
